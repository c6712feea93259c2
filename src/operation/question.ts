import type { Lang } from '../domain/lang.ts';
import type { NameDirectory, SummaryContext } from '../language/summary-context.ts';
import { type AnswerText, readText } from '../language/text/rendered-text.ts';
import type { ArgumentWords } from '../language/text/spoken-argument.ts';
import type { OperationResult } from './operation-result.ts';

type AnswerField =
  | { readonly type: 'boolean'; readonly title?: string }
  | { readonly type: 'string'; readonly title?: string; readonly enum?: string[] }
  | {
      readonly type: 'number';
      readonly title?: string;
      readonly minimum?: number;
      readonly maximum?: number;
    };

/** A form of one field, which a person fills in. */
export interface Question {
  readonly name: string;
  readonly message: string;
  readonly schema: AnswerField;
}

/** The text in a form. */
export const formText = ({ summary }: AnswerText): string => readText(summary);

/** The answer of a person who declines or closes the form. */
export const DECLINED = 'acequia/declined';

/**
 * Null without a usable answer, such as where nobody is there. Some clients send typed values as
 * text.
 */
export type PersonAnswer = string | number | boolean | null;

/** The result of a call that cannot continue; the client repeats the call with the answer. */
export class UnansweredQuestion {
  readonly question: Question;

  constructor(question: Question) {
    this.question = question;
  }
}

/** Unanswered if the client cannot be asked during the call. */
export type AskPerson = (question: Question) => Promise<PersonAnswer | UnansweredQuestion>;

/** Serves an operation that asks a person. */
export interface Conversation {
  /** Language of questions. */
  personLang(): Promise<Lang>;
  directory(): Promise<NameDirectory>;
  summaryContext(): Promise<SummaryContext>;
  readonly askPerson: AskPerson;
  /** Runs another operation, by its name, for the same caller. */
  run(operation: string, fields: Record<string, unknown>): Promise<OperationResult>;
  /** The words by which errors of an operation call its arguments. */
  argumentWords(operation: string): ArgumentWords;
  /** The summary of the operation that asks, for a result that has changed since. */
  summarize(result: OperationResult): Promise<AnswerText>;
}

/** Asks for what the result lacks, and returns it completed; the result itself if nothing does. */
export type FollowUp = (
  result: OperationResult,
  conversation: Conversation,
) => Promise<OperationResult | UnansweredQuestion>;
