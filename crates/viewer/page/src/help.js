// Help: the words of Time Warp, the marks, the keys.
const WORDS = [
    ['a body\'s own time', 'how far a body has been computed (local virtual time, LVT). Every body has its own clock; here they are not kept in step.'],
    ['GVT', 'global virtual time: the earliest time that anything can still change. All before it is final, or committed. It only rises.'],
    ['speculation', 'what a body has computed beyond GVT, on the assumption that nothing will disturb it.'],
    ['rollback', 'an event turns up in a body\'s past, that is, before its own time. What the body has computed since is undone and computed again; so is what followed from it in other bodies, and nothing else.'],
    ['committed history', 'what remains when GVT has passed. It is the same to the last byte, however far bodies ran ahead and whatever was undone.'],
];
const MARKS = [
    ['●', 'an event: collision, callback, input, a piece of a script'],
    ['▸ ◂', 'fusion, fission: a contact group begins or loses a member'],
    ['│', 'the two bodies of a collision'],
    ['▬', 'the body is in a contact group of that colour'],
    ['▭▸', 'from GVT to the body\'s own time: speculation'],
    ['┆', 'GVT, as the run had it at the moment shown'],
    ['╱╱ ✕', 'undone: a stretch that a rollback took back, the event that had begun it, and whose event proved it wrong'],
];
const SIGHTS = [
    ['orange arrow', 'a collision that has just happened: at each of its bodies, along the change of its velocity and as long as its impulse. It fades in a moment'],
    ['teal arrow', 'a contact force (Forces, key C): the longest is the strongest force shown, the others are to scale'],
    ['orange line', 'a joint, from anchor to anchor; the axis of a hinge or a slide; the cross of a ball joint'],
    ['ring', 'the picked body; the line through it is where it was and will be'],
    ['pale body', 'in the tour: where a body believes to be, ahead of GVT'],
];
const KEYS = [
    ['Space', 'play, pause'], ['← →', 'step'], ['Home End', 'first, last moment'], ['F', 'fit the view'], ['P', 'panels'], ['C', 'contact points and forces; of a picked body they are always shown'], ['R', 'rows by rollbacks'],
    ['T', 'tour'], ['S', 'scenes'], ['?', 'this help'], ['Esc', 'let go, close'], ['drag', 'turn the camera; in the timeline: scrub'],
    ['wheel', 'zoom; with Shift in the timeline: scroll the rows'], ['click', 'pick a body'], ['Shift-drag', 'pull at a body (live runs)'],
];

function table(pairs, tag) {
    const made = document.createElement('table');
    for (const [a, b] of pairs) {
        const row = made.insertRow();
        row.insertCell().append(Object.assign(document.createElement(tag), { textContent: a }));
        row.insertCell().textContent = b;
    }
    return made;
}

export function openHelp() {
    const dialog = document.getElementById('help'), body = document.getElementById('help-body');
    if (!body.childElementCount) {
        for (const [title, pairs, tag] of [['Words', WORDS, 'b'], ['In the scene', SIGHTS, 'b'], ['Marks in the timeline', MARKS, 'b'], ['Keys', KEYS, 'kbd']]) {
            body.append(Object.assign(document.createElement('h2'), { textContent: title }), table(pairs, tag));
        }
        document.getElementById('help-close').onclick = () => dialog.close();
    }
    if (dialog.open) dialog.close();
    else dialog.showModal();
}
