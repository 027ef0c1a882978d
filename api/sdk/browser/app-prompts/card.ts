import { make } from '../page-prompt/view.ts';
import type { Spoken } from './language.ts';
import type { CardKind, Category, Variant } from './protocol.ts';
import { siteIcon } from './site-icon.ts';
import type { CardView } from './view.ts';

export interface Answers {
  /** @param categoryIds null: the reader left all of them chosen. */
  readonly accept: (categoryIds: readonly number[] | null) => void;
  readonly later: () => void;
}

export interface Card {
  readonly kind: CardKind;
  readonly variant: Variant;
  readonly categories: readonly Category[];
  /** An iPhone in a browser's tab: there is nothing to say yes to. */
  readonly isHomeScreen: boolean;
}

/** Draws a question that takes neither the page nor the focus. @returns what takes it away. */
export function drawCard(view: CardView, spoken: Spoken, card: Card, answers: Answers): () => void {
  const { kind, variant, isHomeScreen } = card;
  const { texts } = spoken;
  const words = isHomeScreen ? texts.homeScreen : (variant.question ?? texts.question);
  const box = make('div', kind === 'bar' ? 'bar' : 'slide', '');
  box.setAttribute('role', 'region');
  box.setAttribute('aria-label', words);
  const question = make('p', 'question', '');
  question.dir = 'auto';
  question.setAttribute('role', 'status');
  const categories = isHomeScreen ? [] : card.categories;
  const boxes = categories.map(drawCategory);
  const close = (): void => box.remove();
  const later = make('button', 'later', isHomeScreen ? texts.close : (variant.later ?? texts.later));
  later.addEventListener('click', answers.later);
  const accept = make('button', 'accept', variant.accept ?? texts.accept);
  accept.addEventListener('click', () => answers.accept(chosenOf(boxes)));
  box.addEventListener('keydown', ({ key }) => key === 'Escape' && answers.later());
  const acts = isHomeScreen ? [later] : [later, accept];
  const isFirst = kind === 'slide-down' && !isHomeScreen && words !== texts.winBack;
  box.append(
    isFirst ? head(question, texts.benefit) : question,
    ...(boxes.length > 0 ? [group(texts.choose, boxes)] : []),
    ...inRow(kind, acts),
  );
  view.root.append(box);
  // A moment after its element, so that screen readers speak the question without the focus being taken.
  setTimeout(() => {
    question.textContent = words;
  }, 100);
  return close;
}

/** The site's icon beside the question, and what the reader has from a yes. */
function head(question: HTMLElement, benefit: string): HTMLElement {
  const line = make('p', 'benefit', benefit);
  line.dir = 'auto';
  const words = make('div', 'words', '');
  words.append(question, line);
  const row = make('div', 'head', '');
  const icon = siteIcon();
  row.append(...(icon === null ? [] : [icon]), words);
  return row;
}

const inRow = (kind: CardKind, acts: readonly HTMLElement[]): readonly HTMLElement[] => {
  if (kind === 'bar') return acts;
  const row = make('div', 'acts', '');
  row.append(...acts);
  return [row];
};

interface CategoryBox {
  readonly id: number;
  readonly label: HTMLElement;
  readonly input: HTMLInputElement;
}

function drawCategory({ id, name }: Category): CategoryBox {
  const label = make('label', 'category', '');
  const input = document.createElement('input');
  input.type = 'checkbox';
  input.checked = true;
  label.append(input, name);
  label.dir = 'auto';
  return { id, label, input };
}

function group(words: string, boxes: readonly CategoryBox[]): HTMLElement {
  const set = make('fieldset', 'categories', '');
  set.append(make('legend', 'choose', words), ...boxes.map(({ label }) => label));
  return set;
}

/** Null: all, and whatever comes later. */
function chosenOf(boxes: readonly CategoryBox[]): readonly number[] | null {
  const chosen = boxes.filter(({ input }) => input.checked);
  return chosen.length === boxes.length ? null : chosen.map(({ id }) => id);
}
