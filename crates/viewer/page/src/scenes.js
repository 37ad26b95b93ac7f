// The list of scenes, from which runs are started: each with its parameters, how far bodies may run ahead, and
// whether it goes with the clock on the wall and can be pulled at.
import { ask, order, pageOf } from './api.js';

const $ = (id) => document.getElementById(id);

function element(tag, properties = {}, ...children) {
    const made = Object.assign(document.createElement(tag), properties);
    made.append(...children);
    return made;
}

export class Scenes {
    constructor() {
        this.dialog = $('scenes');
        this.offers = null;
        $('scenes-close').onclick = () => this.dialog.close();
        $('scenes-filter').oninput = () => this.list();
    }

    async open() {
        this.dialog.showModal();
        if (this.offers) return;
        $('scenes-list').replaceChildren(element('p', { className: 'quiet', textContent: 'Reading the scenes…' }));
        try {
            this.offers = await ask('/api/offers');
            this.list();
        } catch (error) {
            this.say(error);
        }
    }

    say(error) {
        $('scenes-list').replaceChildren(element('p', { className: 'wrong', textContent: error.message ?? String(error) }));
    }

    list() {
        const word = $('scenes-filter').value.trim().toLowerCase();
        const offers = (this.offers ?? []).filter((offer) => `${offer.name} ${offer.description}`.toLowerCase().includes(word));
        const empty = this.offers?.length
            ? `No scene has "${word}" in its name or description.`
            : 'This viewer shows a recording and starts no runs: begin it with `warpline view`.';
        $('scenes-list').replaceChildren(...(offers.length ? offers.map((offer) => this.row(offer)) : [element('p', { className: 'quiet', textContent: empty })]));
    }

    row(offer) {
        const inputs = offer.parameters.map((parameter) => ({
            parameter,
            input: parameter.one_of.length
                ? element('select', { ariaLabel: parameter.name }, ...parameter.one_of.map((text) => element('option', { value: text, textContent: text, selected: text === parameter.value })))
                : element('input', { value: parameter.value, ariaLabel: parameter.name, size: 8, placeholder: parameter.range }),
        }));
        const ahead = element('input', { placeholder: 'adaptive', size: 8, ariaLabel: 'look-ahead' });
        const wrong = element('p', { className: 'wrong', hidden: true });
        const start = async (live) => {
            const set = inputs.filter(({ parameter, input }) => input.value !== parameter.value).map(({ parameter, input }) => `${parameter.name}=${input.value}`);
            wrong.hidden = true;
            try {
                const { run } = await order('/api/start', { scene: offer.name, set: set.join('\n'), look_ahead: ahead.value, live });
                location.href = pageOf(run);
            } catch (error) {
                wrong.textContent = error.message;
                wrong.hidden = false;
            }
        };
        const field = (label, input, about) => element('label', { title: about }, element('span', { textContent: label }), input, element('small', { textContent: about }));
        return element('details', { name: 'scene' },
            element('summary', {}, element('b', { textContent: offer.name }), ` ${offer.description}`),
            element('div', { className: 'fields' },
                ...inputs.map(({ parameter, input }) => field(parameter.name, input, parameter.range && !parameter.one_of.length ? `${parameter.about} (${parameter.range})` : parameter.about)),
                field('look-ahead', ahead, 'how far bodies may run ahead: seconds, event or adaptive; far shows more rollbacks')),
            element('div', { className: 'row' },
                element('button', { className: 'primary', textContent: 'Run', onclick: () => start(false) }),
                element('button', { textContent: 'Run live', title: 'In step with the clock on the wall: pull at bodies with the mouse', onclick: () => start(true) })),
            wrong);
    }
}
