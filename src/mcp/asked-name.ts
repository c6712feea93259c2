import type { Lang } from '../domain/lang.ts';
import { spoken } from '../operation/directory.ts';
import { quoted } from '../operation/names.ts';
import type { Performer } from '../operation/performer.ts';
import { AcequiaError } from '../schema/error.ts';
import type { AskPerson } from './elicitation.ts';

/** Names that one text can mean are chosen from in a form as long as there are no more. */
const MOST = 20;

/** A call names a module and a parcel at most. */
const QUESTIONS = 2;

const WHICH: Record<Lang, (text: string) => string> = {
  en: (text) => `${text} can mean more than one. Which one is meant?`,
  fr: (text) => `${text} peut désigner plusieurs choses. Laquelle est-ce ?`,
};

type Arguments = Readonly<Record<string, unknown>>;

/**
 * Performs with the arguments as they were sent; where a name in them can mean several things, with the one that the
 * person chooses. Without a choice the refusal stands.
 */
export async function withNamesChosen<T>(
  sent: Arguments,
  performer: Pick<Performer, 'lang'>,
  ask: AskPerson | undefined,
  perform: (meant: Arguments) => Promise<T>,
): Promise<T> {
  let meant = sent;
  for (let asked = 0; ; asked++) {
    try {
      return await perform(meant);
    } catch (error) {
      const chosen = ask && asked < QUESTIONS ? await choice(error, meant, performer, ask) : null;
      if (chosen === null) throw error;
      meant = { ...meant, ...chosen };
    }
  }
}

/** The argument that was ambiguous, as the person means it; null where nothing was, or nothing was chosen. */
async function choice(
  error: unknown,
  sent: Arguments,
  performer: Pick<Performer, 'lang'>,
  ask: AskPerson,
): Promise<Arguments | null> {
  if (!(error instanceof AcequiaError) || error.code !== 'AMBIGUOUS_NAME' || error.field === undefined) return null;
  const { field, candidates } = error;
  if (candidates.length === 0 || candidates.length > MOST) return null;
  const labels = candidates.map(({ id, name }) => `${name === null ? '' : `${spoken(name)} `}(#${id})`);
  const answer = await ask({
    name: field,
    message: WHICH[await performer.lang()](quoted(String(sent[field]))),
    schema: { type: 'string', title: field, enum: labels },
  });
  const chosen = candidates[labels.indexOf(String(answer))];
  return chosen === undefined ? null : { [field]: `#${chosen.id}` };
}
