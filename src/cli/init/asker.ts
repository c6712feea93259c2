import { quote } from '../../domain/text.ts';
import { AcequiaError, invalidInputError } from '../../schema/error.ts';
import { printError } from '../process/output.ts';
import type { Terminal } from '../process/terminal.ts';
import { AnswerError, type ReadAnswer } from './answers.ts';

/** Asks again until an answer can be read; throws if the answers come from a file. */
export class Asker {
  readonly #terminal: Terminal;

  constructor(terminal: Terminal) {
    this.#terminal = terminal;
  }

  /** Says what is wrong with answers, to ask again; throws if they come from a file. */
  repeatAfter(error: unknown): void {
    if (!(error instanceof AcequiaError) || !this.#terminal.isInteractive) throw error;
    printError(`${error.message} ${error.hint ?? ''}\n`);
  }

  required<T>(question: string, read: ReadAnswer<T>): Promise<T> {
    return this.#ask(question, (answer) => {
      if (answer === '') throw new AnswerError('an answer: it is needed');
      return read(answer);
    });
  }

  optional<T>(question: string, read: ReadAnswer<T>): Promise<T | null> {
    return this.#ask(question, (answer) => (answer === '' ? null : read(answer)));
  }

  withDefault<T>(question: string, defaultAnswer: string | null, read: ReadAnswer<T>): Promise<T> {
    if (defaultAnswer === null) return this.required(`${question}: `, read);
    return this.#ask(`${question} [${defaultAnswer}]: `, (answer) =>
      read(answer === '' ? defaultAnswer : answer),
    );
  }

  async #ask<T>(question: string, read: ReadAnswer<T>): Promise<T> {
    for (;;) {
      const answer = await this.#terminal.ask(question);
      if (answer === null) throw inputEnded(question);

      try {
        return read(answer.trim());
      } catch (error) {
        if (!(error instanceof AnswerError)) throw error;

        const expected = `Please give ${error.message}.`;
        if (!this.#terminal.isInteractive)
          throw invalidInputError(
            'INVALID_ANSWER',
            `${quote(answer)} is not an answer to ${quote(question.trim())}. ${expected}`,
            {
              hint: 'Nothing was written.',
            },
          );

        printError(`${expected}\n`);
      }
    }
  }
}

const inputEnded = (question: string) =>
  invalidInputError(
    'INPUT_ENDED',
    `The answers ended at ${quote(question.trim().replace(/:$/, ''))}.`,
    {
      hint: 'Nothing was written. Run "acequia init" again.',
    },
  );
