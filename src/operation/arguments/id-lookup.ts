import { firstOf } from '../../domain/items.ts';
import { type ListPage, readPages } from '../../domain/list-pages.ts';
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
export const listedPages = <Row>(
  { runRead }: ArgumentContext,
  list: CallOperation,
  filter: LookupTarget,
): AsyncIterable<readonly Row[]> =>
  readPages(async (page) => (await runRead(list, { ...filter, ...page })) as ListPage<Row>);

/** Keeps only the rows that an error may list. */
class FirstRows {
  readonly rows: IdentifiedRow[] = [];
  #count = 0;

  get count(): number {
    return this.#count;
  }

  add(row: IdentifiedRow): void {
    if (this.#count < MAX_LISTED) this.rows.push(row);
    this.#count++;
  }
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
  const sentId = values[field.name];
  const isPreferred = ({ isActive }: IdentifiedRow) => isActive === (values.isActive !== true);
  const concerning = new FirstRows();
  const ofTarget = new FirstRows();
  const preferred = new FirstRows();
  for await (const rows of lookup.rowsConcerning(target, context))
    for (const row of rows) {
      if (row.id === sentId) return row;
      concerning.add(row);
      if (!isSameTarget(lookup.targetOf(row), target)) continue;
      ofTarget.add(row);
      if (isPreferred(row)) preferred.add(row);
    }

  const targetName = await nameOfTarget(target, context);
  if (sentId !== undefined) {
    const list = await listRows(concerning, context, describedBy(lookup));
    throw idMismatchError(id, targetName, sentId, list);
  }

  // Active rows, or inactive ones if the call activates a row; all if there are none of these.
  const candidates = preferred.count > 0 ? preferred : ofTarget;
  if (candidates.count === 1) return firstOf(candidates.rows);

  if (concerning.count === 0)
    throw notFoundError(
      say`${targetName} has no ${word(NOUNS[lookup.kind])}.`,
      lookup.creationHint,
    );

  if (ofTarget.count === 0) {
    const list = await listRows(concerning, context, describedWithTarget(lookup));
    throw noRowOfItsOwnError(id, targetName, concerning, list);
  }

  const list = await listRows(candidates, context, describedBy(lookup));
  throw ambiguousIdError(id, targetName, list);
}

const nameOfTarget = (
  { moduleId = null, parcelId = null }: LookupTarget,
  { directory }: Pick<SummaryContext, 'directory'>,
): Promise<Text> => targetText(directory, { moduleId, parcelId });

type DescribeRow = (row: IdentifiedRow, wording: SummaryContext) => Promise<Text>;

async function listRows(
  { rows, count }: FirstRows,
  context: ArgumentContext,
  describe: DescribeRow,
): Promise<Text> {
  // Errors do not remark on a zone that is only the default.
  const wording = summaryContextOf({ ...context, isZoneDeclared: true, units: 'metric' });
  const texts = rows.map((row) => describe(row, wording));
  const omitted = count > MAX_LISTED ? say`and ${count - MAX_LISTED} more` : null;
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
  others: FirstRows,
  list: Text,
): AcequiaError {
  const hint =
    others.count === 1
      ? say`Give ${argument(name)} ${verbatim(String(firstOf(others.rows).id))} to change it.`
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
