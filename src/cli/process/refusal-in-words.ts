import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { type Language, languageOf } from '../../language/index.ts';
import { AcequiaError, plainProblem, StoreUnavailableError } from '../../schema/error.ts';
import { redactedLocation } from '../../store/store-location.ts';
import { EXIT } from './command.ts';
import { printError } from './output.ts';
import { storeOption } from './settings.ts';

interface RefusalText {
  readonly message: string;
  readonly hint: string;
}

interface RefusalCode {
  readonly code: string;
  readonly status?: number;
}

type Say = (words: Language) => RefusalText;

/**
 * A refusal with a text in every language. `message` and `hint` are English, like those of other
 * errors.
 */
export class RefusalInWords extends AcequiaError {
  readonly say: Say;

  constructor({ code, status = 400 }: RefusalCode, say: Say) {
    super(plainProblem({ code, status, ...say(languageOf(DEFAULT_LANG)) }));
    this.say = say;
  }
}

interface Reader {
  readonly lang: Lang;
  /** The words that this person types for the program. */
  readonly command: string;
  readonly db: string;
}

/** Prints a refusal in the person's language and returns the exit code. Throws other errors. */
export function reportRefusalIn(reader: Reader, error: unknown): number {
  if (!(error instanceof AcequiaError)) throw error;
  printError(`${refusalLines(error, reader).join('\n')}\n`);
  return EXIT.failed;
}

/** The message and the hint. A refusal without a text in that language is named by its code. */
export function refusalLines(error: AcequiaError, { lang, command, db }: Reader): string[] {
  const words = languageOf(lang);
  const { message, hint } = error instanceof RefusalInWords ? error.say(words) : error;
  if (error instanceof RefusalInWords || lang === DEFAULT_LANG)
    return hint ? [message, hint] : [message];

  const { interview } = words;
  return error instanceof StoreUnavailableError
    ? [interview.storeFails(redactedLocation(db), `${command} doctor${storeOption(db)}`)]
    : [interview.refused([error.code, error.field].filter(Boolean).join(', '))];
}
