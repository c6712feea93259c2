import type { Lang } from '../domain/lang.ts';
import { singleLine } from '../operation/directory.ts';
import { quote } from '../operation/names.ts';
import type { Performer } from '../operation/performer.ts';
import { AcequiaError } from '../schema/error.ts';
import type { AskPerson } from './elicitation.ts';

/** Names that one text can mean are chosen from in a form as long as there are no more. */
const MAX_CANDIDATES = 20;

/** A call names a module and a parcel at most. */
const MAX_QUESTIONS = 2;

const WHICH_ONE: Record<Lang, (text: string) => string> = {
  en: (text) => `${text} can mean more than one. Which one is meant?`,
  fr: (text) => `${text} peut désigner plusieurs choses. Laquelle est-ce ?`,
};

type RawArguments = Readonly<Record<string, unknown>>;

/**
 * Performs with the arguments as they were sent; where a name in them can mean several things, with the one that the
 * person chooses. Without a choice the refusal stands.
 */
export async function askAmbiguousNames<T>(
  sent: RawArguments,
  performer: Pick<Performer, 'lang'>,
  ask: AskPerson | undefined,
  perform: (meant: RawArguments) => Promise<T>,
): Promise<T> {
  let chosenArguments = sent;
  for (let questionCount = 0; ; questionCount++) {
    try {
      return await perform(chosenArguments);
    } catch (error) {
      const chosen =
        ask && questionCount < MAX_QUESTIONS ? await askCandidate(error, chosenArguments, performer, ask) : null;
      if (chosen === null) throw error;
      chosenArguments = { ...chosenArguments, ...chosen };
    }
  }
}

/** The argument that was ambiguous, as the person means it; null where nothing was, or nothing was chosen. */
async function askCandidate(
  error: unknown,
  sent: RawArguments,
  performer: Pick<Performer, 'lang'>,
  ask: AskPerson,
): Promise<RawArguments | null> {
  if (!(error instanceof AcequiaError) || error.code !== 'AMBIGUOUS_NAME' || error.field === undefined) return null;
  const { field, candidates } = error;
  if (candidates.length === 0 || candidates.length > MAX_CANDIDATES) return null;
  const labels = candidates.map(({ id, name }) => `${name === null ? '' : `${singleLine(name)} `}(#${id})`);
  const answer = await ask({
    name: field,
    message: WHICH_ONE[await performer.lang()](quote(String(sent[field]))),
    schema: { type: 'string', title: field, enum: labels },
  });
  const chosen = candidates[labels.indexOf(String(answer))];
  return chosen === undefined ? null : { [field]: `#${chosen.id}` };
}
