// Questions to the server. Every one says which of the recordings it shows is meant: `run` in the page's address.
const query = new URLSearchParams(location.search);

export const run = Number(query.get('run') ?? 0) || 0;

export function path(place) {
    return `${place}${place.includes('?') ? '&' : '?'}run=${run}`;
}

export async function ask(place) {
    const answer = await fetch(path(place));
    if (!answer.ok) throw Object.assign(new Error(await answer.text()), { status: answer.status });
    return answer.json();
}

// Something that changes the world: starts a run, pulls at a body.
export async function order(place, wish) {
    const answer = await fetch(path(`${place}?${new URLSearchParams(wish)}`), { method: 'POST' });
    if (!answer.ok) throw new Error(await answer.text());
    return answer.json();
}

// The page of another run, with or without a tour.
export function pageOf(number, extra = '') {
    const theme = query.get('theme');
    return `/?run=${number}${theme ? `&theme=${theme}` : ''}${extra}`;
}
