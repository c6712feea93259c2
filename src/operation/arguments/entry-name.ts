import { argument, operationName } from '../../domain/text/program-names.ts';
import { say, sentences, word } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import type { NameDirectory } from '../../language/summary-context.ts';
import { readSpokenName } from '../../language/words/spoken-name.ts';
import { AcequiaError } from '../../schema/error.ts';
import type { NamedEntryTool } from '../operation.ts';
import { ambiguousName, type NameQuery, unknownEntity } from './name-errors.ts';
import {
  MAX_NAME_LENGTH,
  type NamedEntity,
  spokenDirectory,
  wholeNameMatches,
  wholeSpokenLevels,
} from './name-matching.ts';
import type { ResolvedName } from './name-resolution.ts';
import { haveOtherSigns } from './name-signs.ts';

/**
 * The entry that a tool changes, by a whole name in any spelling. A part of a name is not enough,
 * because it may be that of an entry to add. Null if the operation finds it by its exact name or id,
 * or adds it; throws if several are meant, or if a new one still lacks something.
 */
export async function resolveEntryName(
  text: string,
  { kind, missingOfNew }: NamedEntryTool,
  values: Readonly<Record<string, unknown>>,
  directory: NameDirectory,
): Promise<ResolvedName | null> {
  const modules = kind === 'module' ? await directory.modules() : [];
  const parcels = kind === 'parcel' ? await directory.parcels() : [];
  const all: readonly NamedEntity[] = [...modules, ...parcels];
  if (/^#\d+$/.test(text) || wholeNameMatches(text)(all).length > 0) return null;

  const missingScope = directory.missingScopes?.[`${kind}s`] ?? null;
  const query: NameQuery = { text, field: 'name', code: 'not_found', missingScope };
  const spokenName = readSpokenName(text.slice(0, MAX_NAME_LENGTH));
  const spoken = await spokenDirectory({ modules, parcels }, directory);
  const matches =
    wholeSpokenLevels(spokenName, spoken)
      .map(({ isModule, isParcel }) =>
        [...modules.filter(isModule), ...parcels.filter(isParcel)].filter(
          ({ name }) => name === null || !haveOtherSigns(text, name),
        ),
      )
      .find(({ length }) => length > 0) ?? [];
  const [match] = matches;
  if (matches.length > 1) throw ambiguousName(word(`${kind}s` as const), query, matches);
  if (match !== undefined) return { id: match.id, matchedName: match.name ?? `#${match.id}` };

  const missing = missingOfNew?.(values) ?? null;
  if (missing !== null) throw incompleteEntry(kind, query, all, missing);
  return null;
}

/** Names those that exist, one of which may be meant. */
function incompleteEntry(
  kind: NamedEntryTool['kind'],
  query: NameQuery,
  all: readonly NamedEntity[],
  missing: Text,
): AcequiaError {
  const { code, status, texts, field } = unknownEntity(kind, query, all);
  return new AcequiaError({
    code,
    status,
    message: sentences([texts.message, missing]),
    hint: say`Ask for them, or pass the name or id of one that exists, from ${operationName(`list_${kind}s`)}, as ${argument('name')}.`,
    field,
  });
}
