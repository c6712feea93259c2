import { firstOf } from '../../domain/items.ts';
import { type ListPage, readAllRows } from '../../domain/list-pages.ts';
import { argument, bracketedId } from '../../domain/text/program-names.ts';
import { isEmpty, join, say, sentences, verbatim, word } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { type SummaryContext, summaryContextOf } from '../../language/summary-context.ts';
import { namedProbesOf, shortListOrNull, targetText } from '../../language/text/names-of-farm.ts';
import { inWords } from '../../language/text/render.ts';
import { type AcequiaError, invalidInputError, notFoundError } from '../../schema/error.ts';
import type {
  ArgumentContext,
  CallOperation,
  IdentifiedRow,
  IdLookup,
  LookupTarget,
} from '../operation.ts';
import type { ReplaceableId } from './tool-fields.ts';

const MAX_LISTED = 10;

/** All pages of a list operation. */
export async function listedRows<Row>(
  { runRead }: ArgumentContext,
  list: CallOperation,
  filter: LookupTarget,
): Promise<Row[]> {
  return readAllRows(
    async (page) => (await runRead(list, { ...filter, ...page })) as ListPage<Row>,
  );
}

const NOUNS = { alert: 'alert', schedule: 'schedule', installation: 'setup version' } as const;

export const missingIdError = ({ field, lookup }: ReplaceableId): AcequiaError =>
  invalidInputError(field.errorCode, say`${argument(field.argument)} is missing.`, {
    hint: say`Give ${argument(field.argument)}, or the module or parcel that the ${word(NOUNS[lookup.kind])} is of.`,
    field: field.argument,
  });

/**
 * The only row that belongs to the probe or parcel in the fields, of which one is there as an id. An
 * id of a row that was sent too must be one of those that concern it.
 */
export async function findRow(
  id: ReplaceableId,
  { moduleId, parcelId, ...values }: Readonly<Record<string, unknown>>,
  context: ArgumentContext,
): Promise<IdentifiedRow> {
  const { field, lookup } = id;
  if (moduleId !== undefined && parcelId !== undefined)
    throw invalidInputError('INVALID_TARGET', say`Both a probe and a parcel are given.`, {
      hint: say`Give one of them.`,
      field: 'parcel',
    });

  const target =
    moduleId === undefined ? { parcelId: Number(parcelId) } : { moduleId: Number(moduleId) };
  const rows = await lookup.rowsConcerning(target, context);
  const targetName = await nameOfTarget(target, context);

  const sentId = values[field.name];
  if (sentId !== undefined) {
    const sentRow = rows.find((row) => row.id === sentId);
    if (sentRow !== undefined) return sentRow;
    const list = await listRows(rows, context, describedBy(lookup));
    throw idMismatchError(id, targetName, sentId, list);
  }

  const rowsOfTarget = rows.filter((row) => isSameTarget(lookup.targetOf(row), target));
  const candidates = preferredRows(rowsOfTarget, { isActivation: values.isActive === true });
  if (candidates.length === 1) return firstOf(candidates);

  if (rows.length === 0)
    throw notFoundError(
      say`${targetName} has no ${word(NOUNS[lookup.kind])}.`,
      lookup.creationHint,
    );

  if (rowsOfTarget.length === 0) {
    const list = await listRows(rows, context, describedWithTarget(lookup));
    throw noRowOfItsOwnError(id, targetName, rows, list);
  }

  const list = await listRows(candidates, context, describedBy(lookup));
  throw ambiguousIdError(id, targetName, list);
}

const nameOfTarget = (
  { moduleId = null, parcelId = null }: LookupTarget,
  { directory }: Pick<SummaryContext, 'directory'>,
): Promise<Text> => targetText(directory, { moduleId, parcelId });

/** Active rows, or inactive ones if the call activates a row; all if there are none of these. */
function preferredRows(
  rows: readonly IdentifiedRow[],
  { isActivation }: { readonly isActivation: boolean },
): readonly IdentifiedRow[] {
  const preferred = rows.filter(({ isActive }) => isActive === !isActivation);
  return preferred.length > 0 ? preferred : rows;
}

type DescribeRow = (row: IdentifiedRow, wording: SummaryContext) => Promise<Text>;

async function listRows(
  rows: readonly IdentifiedRow[],
  context: ArgumentContext,
  describe: DescribeRow,
): Promise<Text> {
  // Errors do not remark on a zone that is only the default.
  const wording = summaryContextOf({ ...context, isZoneDeclared: true, units: 'metric' });
  const texts = rows.slice(0, MAX_LISTED).map((row) => describe(row, wording));
  const omitted = rows.length > MAX_LISTED ? say`and ${rows.length - MAX_LISTED} more` : null;
  return join([...(await Promise.all(texts)), omitted], say`; `);
}

const describedBy =
  (lookup: IdLookup): DescribeRow =>
  async (row, wording) =>
    say`${inWords(await lookup.describe(row, wording), wording)}${bracketedId(row.id)}`;

/** Says what the row is of, which is wider or narrower than the target in the call. */
const describedWithTarget =
  (lookup: IdLookup): DescribeRow =>
  async (row, wording) => {
    const target = await describeTarget(lookup.targetOf(row), wording);
    const description = inWords(await lookup.describe(row, wording), wording);
    return say`one${bracketedId(row.id)} is of ${target}: ${description}`;
  };

async function describeTarget(target: LookupTarget, { directory }: SummaryContext): Promise<Text> {
  const { parcelId = null } = target;
  const name = await nameOfTarget(target, { directory });
  if (parcelId === null) return say`${name} alone`;

  const probes = shortListOrNull(await namedProbesOf(directory, parcelId));
  return say`all of ${name}${probes && say` (${probes})`}`;
}

const isSameTarget = (some: LookupTarget, other: LookupTarget): boolean =>
  other.moduleId == null ? some.parcelId === other.parcelId : some.moduleId === other.moduleId;

function ambiguousIdError(
  { field: { argument: name }, lookup: { kind } }: ReplaceableId,
  targetName: Text,
  list: Text,
): AcequiaError {
  return invalidInputError(
    `AMBIGUOUS_${kind.toUpperCase()}`,
    say`${targetName} has several ${word(NOUNS[kind])}s: ${list}.`,
    {
      hint: say`Ask which one is meant and pass its id as ${argument(name)}.`,
      field: name,
    },
  );
}

/**
 * A change for one probe must not change its whole parcel, nor one for the parcel a single probe.
 */
function noRowOfItsOwnError(
  { field: { argument: name }, lookup: { kind, creationHint } }: ReplaceableId,
  targetName: Text,
  others: readonly IdentifiedRow[],
  list: Text,
): AcequiaError {
  const hint =
    others.length === 1
      ? say`Give ${argument(name)} ${verbatim(String(firstOf(others).id))} to change it.`
      : say`Ask which one is meant and pass its id as ${argument(name)}.`;

  return notFoundError(
    say`${targetName} has no ${word(NOUNS[kind])} of its own; ${list}.`,
    say`${hint} For one of its own: ${creationHint}`,
  );
}

function idMismatchError(
  { field: { argument: name, errorCode }, lookup }: ReplaceableId,
  targetName: Text,
  sentId: unknown,
  list: Text,
): AcequiaError {
  const message = sentences([
    say`${targetName} has no such ${word(NOUNS[lookup.kind])}${bracketedId(String(sentId))}.`,
    isEmpty(list) ? null : say`It has ${list}.`,
  ]);
  return invalidInputError(errorCode, message, {
    hint: say`Give either ${argument(name)}, or ${argument('module')} or ${argument('parcel')}.`,
    field: name,
  });
}
