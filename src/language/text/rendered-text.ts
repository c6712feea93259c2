const TEXT = Symbol('text');

/**
 * A text in the words of its reader. It is no string, so that nobody takes apart what the program
 * wrote: `render` makes it, and only the channels that send it read it, with `readText`.
 */
class Rendered {
  readonly [TEXT]: string;

  constructor(text: string) {
    this[TEXT] = text;
  }

  /** A template would have it as a string. */
  [Symbol.toPrimitive](): never {
    throw new TypeError('A rendered text is no string: a channel reads it with readText');
  }

  toJSON(): never {
    return this[Symbol.toPrimitive]();
  }
}

export type RenderedText = Rendered;

/** For the renderer alone. */
export const renderedText = (text: string): RenderedText => new Rendered(text);

/** For channels alone, which send or print it. */
export const readText = (rendered: RenderedText): string => rendered[TEXT];

/** Sentences that people hear, and the calls that follow from them, which models alone read. */
export interface AnswerText {
  readonly summary: RenderedText;
  /** Calls that are likely to come next. */
  readonly next: readonly RenderedText[];
}

/** One after another; each call is named once. */
export function joinAnswers(answers: readonly AnswerText[]): AnswerText {
  const summaries = answers.map(({ summary }) => summary[TEXT]).filter((text) => text !== '');
  const calls = answers.flatMap(({ next }) => next.map((call) => call[TEXT]));
  return {
    summary: renderedText(summaries.join(' ')),
    next: [...new Set(calls)].map(renderedText),
  };
}

/** Where nobody reads it. */
export const NO_ANSWER_TEXT: AnswerText = joinAnswers([]);
