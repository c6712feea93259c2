import { DEFAULT_LANG, type Lang } from '../../domain/lang.ts';
import { type Language, languageOf } from '../../language/index.ts';
import { AcequiaError, StoreUnavailableError } from '../../schema/error.ts';
import { redactedLocation } from '../../store/store-location.ts';
import { storeOption } from './settings.ts';

interface RefusalText {
  readonly message: string;
  readonly hint: string;
}

interface RefusalFacts {
  readonly code: string;
  readonly status?: number;
}

type Say = (words: Language) => RefusalText;

/** A refusal that every language has. Its message is English, as that of others. */
export class RefusalInWords extends AcequiaError {
  readonly say: Say;

  constructor({ code, status = 400 }: RefusalFacts, say: Say) {
    super({ code, status, ...say(languageOf(DEFAULT_LANG)) });
    this.say = say;
  }
}

interface Reader {
  readonly lang: Lang;
  /** What this person types for the program. */
  readonly command: string;
  readonly db: string;
}

/** The message and the hint, in a language that may have no words for the reason. */
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
