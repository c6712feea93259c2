import type { Lang } from '../../domain/lang.ts';
import { languageOf } from '../../language/index.ts';
import type { AcequiaError } from '../../schema/error.ts';
import { printError } from '../process/output.ts';
import { RefusalInWords } from '../process/refusal-in-words.ts';
import type { Terminal } from '../process/terminal.ts';
import type { AnswerLog } from './answer-log.ts';
import { AnswerError, type Interview, type ReadAnswer } from './answers.ts';

/** The person wants to answer the question before again. */
export class WentBack extends Error {}

export const GO_BACK = '<';

const MAX_QUOTED = 100;

/** Asks again until an answer can be read; throws if the answers come from a file. */
export class Asker {
  readonly words: Interview;
  readonly #terminal: Terminal;
  readonly lang: Lang;
  readonly #log: AnswerLog;

  constructor(terminal: Terminal, lang: Lang, log: AnswerLog) {
    this.words = languageOf(lang).interview;
    this.#terminal = terminal;
    this.lang = lang;
    this.#log = log;
  }

  /** Asks all questions again whose answers do not go together; throws if they come from a file. */
  async untilPlausible<T>(
    ask: () => Promise<T>,
    faultOf: (answers: T) => string | null,
  ): Promise<T> {
    const { position } = this.#log;
    for (;;) {
      const answers = await ask();
      const fault = faultOf(answers);
      if (fault === null) return answers;
      if (!this.#terminal.isInteractive) throw this.#invalidAnswer(fault);
      printError(`${fault}\n`);
      this.#log.cut(position);
    }
  }

  required<T>(question: string, read: ReadAnswer<T>): Promise<T> {
    return this.#ask(question, (answer) => {
      if (answer === '') throw new AnswerError('answer');
      return read(answer);
    });
  }

  optional<T>(question: string, read: ReadAnswer<T>): Promise<T | null> {
    return this.#ask(question, (answer) => (answer === '' ? null : read(answer)));
  }

  withDefault<T>(question: string, defaultAnswer: string | null, read: ReadAnswer<T>): Promise<T> {
    if (defaultAnswer === null) return this.required(`${question}: `, read);
    return this.#ask(`${question} [${defaultAnswer}]: `, read, defaultAnswer);
  }

  async #ask<T>(question: string, read: ReadAnswer<T>, defaultAnswer = ''): Promise<T> {
    const { position } = this.#log;
    const earlier = this.#log.next();
    if (earlier !== null)
      try {
        return read(earlier);
      } catch (error) {
        if (!(error instanceof AnswerError)) throw error;
        this.#log.cut(position);
      }

    for (;;) {
      const text = await this.#terminal.ask(question);
      if (text === null) throw this.#inputEnded(question);
      if (text.trim() === GO_BACK) throw new WentBack();

      const answer = text.trim() || defaultAnswer;
      try {
        const value = read(answer);
        this.#log.add(answer);
        return value;
      } catch (error) {
        if (!(error instanceof AnswerError)) throw error;
        const expected = error.sentence(this.lang);
        if (!this.#terminal.isInteractive) throw this.#unreadable(answer, question, expected);
        printError(`${expected}\n`);
      }
    }
  }

  #unreadable(answer: string, question: string, expected: string): AcequiaError {
    const fault = this.words.notAnAnswer(answer.slice(0, MAX_QUOTED), question.trim());
    return this.#invalidAnswer(`${fault} ${expected}`);
  }

  #inputEnded(question: string): AcequiaError {
    return this.#invalidAnswer(this.words.ended(question.trim().replace(/ ?:$/, '')));
  }

  #invalidAnswer(message: string): AcequiaError {
    const { nothingWritten: hint } = this.words;
    return new RefusalInWords({ code: 'INVALID_ANSWER' }, () => ({ message, hint }));
  }
}
