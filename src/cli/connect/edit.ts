import { isDeepStrictEqual } from 'node:util';
import { refuse } from '../../schema/error.ts';
import { documentOf, type Fields, isFields, Unreadable } from '../doctor/client-entries.ts';
import type { ClientFile } from '../doctor/client-files.ts';
import { withJsonEntry } from './edit-json.ts';
import { withTomlEntry } from './edit-toml.ts';
import { NAME, read, standingIn } from './standing.ts';

/**
 * The content with this entry under our name, or without one where it is null. All else stays as it is written, which is
 * proved by reading the outcome: where it would not hold, an error says what to write by hand.
 */
export function withEntry(file: ClientFile, content: string, entry: Fields | null): string {
  const standing = standingIn(file, content);
  if (isDeepStrictEqual(plain(standing?.fields ?? null), plain(entry))) return content;
  const edit = file.format === 'toml' ? withTomlEntry : withJsonEntry;
  const way = [...file.servers[0]!, NAME];
  const changed = edit(content, way, entry, standing);
  const wanted = documentWith(read(file, content), way, entry);
  if (isDeepStrictEqual(bare(file, reread(file, changed)), bare(file, wanted))) return changed;
  throw refuse(
    'INVALID_CLIENT_FILE',
    `${file.path} says ${way.join('.')} in a form that is not changed without touching the rest of it.`,
    { hint: 'Nothing was written. Change it by hand; "acequia connect --print" shows what is to stand there.' },
  );
}

/** The outcome of an edit; undefined, which equals nothing, where it cannot be read. */
function reread(file: ClientFile, content: string): unknown {
  try {
    return documentOf(file, content);
  } catch (error) {
    if (error instanceof Unreadable) return undefined;
    throw error;
  }
}

/** A document with one value set or taken out, whatever else it holds. */
function documentWith(document: unknown, [step, ...rest]: readonly string[], entry: Fields | null): unknown {
  if (step === undefined) return entry;
  const fields = isFields(document) ? document : {};
  if (rest.length > 0 || entry !== null) return { ...fields, [step]: documentWith(fields[step], rest, entry) };
  return Object.fromEntries(Object.entries(fields).filter(([name]) => name !== step));
}

/** A document as plain values, since the readers give objects of different kinds. TOML need not name servers where there is none. */
function bare({ format, servers }: ClientFile, document: unknown): unknown {
  if (document === undefined) return undefined;
  const values = plain(document) as Record<string, unknown>;
  const [name] = servers[0]!;
  if (format === 'toml' && isDeepStrictEqual(values[name!], {})) delete values[name!];
  return values;
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
