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

/** A call that stands alone between two sentences goes with a space. */
const MARKED = new RegExp(` ?${MARK_START}([^${MARK_START}${MARK_END}]*)${MARK_END}`, 'g');

export function splitAnswer(marked: string): AnswerText {
  const calls = [...marked.matchAll(MARKED)].map(([, call = '']) => call);
  return { summary: marked.replace(MARKED, '').trimStart(), next: [...new Set(calls)] };
}
