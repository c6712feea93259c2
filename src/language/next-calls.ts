import type { LineFill } from '../domain/alerts/drawn-lines.ts';

/**
 * What a person hears must not name tools and arguments, but the model needs both. So a phrase marks
 * each call that follows from its sentence; once the answer is complete, `splitAnswer` takes the
 * marked calls out. The marks are private-use characters, which `nameInSentence` removes from texts
 * of people.
 */
const MARK_START = '\ue000';
const MARK_END = '\ue001';

/** Sentences to read aloud, and the calls that follow from them. */
export interface AnswerText {
  readonly summary: string;
  /** Calls that are likely to come next. */
  readonly next: readonly string[];
}

export const markedCall = (call: string): string => `${MARK_START}${call}${MARK_END}`;

/**
 * A call that follows from the sentence, which it stands in or after. An argument is a name, or
 * "name: value" where the value is known.
 */
export const nextCall = (tool: string, ...args: readonly string[]): string =>
  markedCall(args.length === 0 ? tool : `${tool}(${args.join(', ')})`);

/** The drawing of a level as a line; `value` is its height, where it is known. */
export const nextLine = (fill: LineFill | 'dry or wet', value?: number): string =>
  nextCall(
    'create_annotation',
    ...(fill === 'dry' || fill === 'dry or wet' ? ['chartType: tensio'] : []),
    'type: h-line',
    `style.fill: ${fill}`,
    ...(value === undefined ? [] : [`value: ${value}`]),
  );

/** The call of the answer again, with these arguments added or changed. */
export const sameCallWith = (...args: readonly string[]): string =>
  markedCall(`this call again with ${args.join(', ')}`);

/** What a model can do where no tool serves. */
export const nextAction = (action: string): string => markedCall(action);

/** A call that stands alone between two sentences goes with a space. */
const MARKED = new RegExp(` ?${MARK_START}([^${MARK_START}${MARK_END}]*)${MARK_END}`, 'g');

export function splitAnswer(marked: string): AnswerText {
  const calls = [...marked.matchAll(MARKED)].map(([, call = '']) => call);
  return { summary: marked.replace(MARKED, '').trimStart(), next: [...new Set(calls)] };
}

export const withoutNextCalls = (marked: string): string => splitAnswer(marked).summary;
