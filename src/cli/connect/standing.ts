import { type AcequiaError, refuse } from '../../schema/error.ts';
import { documentOf, entryOf, type Fields, isFields, startsAcequia, Unreadable } from '../doctor/client-entries.ts';
import type { ClientFile } from '../doctor/client-files.ts';

/** The name that we go by in every file. */
export const NAME = 'acequia';

/** The entry under our name. */
export interface Standing {
  readonly fields: Fields;
  /** Whether it starts Acequia; else it is another hand's. */
  readonly isOurs: boolean;
}

/** The entry under our name, or null. Throws where the file cannot be read, or holds something else where entries stand. */
export function standingIn(file: ClientFile, content: string): Standing | null {
  const way = [...file.servers[0]!, NAME];
  let found: unknown = read(file, content);
  for (const [depth, step] of way.entries()) {
    if (!isFields(found)) throw unfit(file, way.slice(0, depth));
    if (!Object.hasOwn(found, step)) return null;
    found = found[step];
  }
  const isOurs = isFields(found) && startsAcequia(entryOf(NAME, found));
  return { fields: isFields(found) ? found : {}, isOurs };
}

/** What a file holds. Throws with the place where its program stops reading. */
export function read(file: ClientFile, content: string): unknown {
  try {
    return documentOf(file, content);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    throw refuse('INVALID_CLIENT_FILE', `${file.client} cannot read ${file.path}: ${error.message}.`, {
      hint: 'Nothing was written. Mend the file there first; until then it starts no server at all.',
    });
  }
}

function unfit({ client, path }: ClientFile, way: readonly string[]): AcequiaError {
  const where = way.length === 0 ? 'its root' : way.join('.');
  return refuse('INVALID_CLIENT_FILE', `${path} holds at ${where} something else than named values.`, {
    hint: `Nothing was written. ${client} expects its servers there; mend the file first.`,
  });
}
