import { argument } from '../../domain/text/program-names.ts';
import { say } from '../../domain/text/say.ts';
import { invalidInputError } from '../../schema/error.ts';
import type { AnyOperation, ArgumentContext, RunRead } from '../operation.ts';
import { inputFields, pathParameters, variantsOf, withLang } from '../operation-fields.ts';
import { validateArguments } from './argument-validation.ts';
import { missingIdError } from './id-lookup.ts';
import { missingModule, withNamesLookedUp } from './name-lookup.ts';
import type { OperationArguments } from './operation-arguments.ts';
import { argumentsObject, readSentFields } from './sent-arguments.ts';
import { type ToolFields, toolFields } from './tool-fields.ts';
import { newReading, type ToolField, type ToolReading } from './tool-reading.ts';
import { needsStoredDay, timesWithHour } from './tool-times.ts';

/** Looks names up last, so that an error in the entry itself is reported before an unknown name. */
export async function readToolArguments(
  operation: AnyOperation,
  rawArguments: unknown,
  context: ArgumentContext,
): Promise<OperationArguments> {
  const fields = toolFields(operation);
  const { sent, values } = readSentFields(fields, argumentsObject(rawArguments));
  const reading = newReading(fields.byName, withLang(operation, values, context.lang), context);
  await readWords(fields, reading, context.runRead);
  addHoursOfDates(reading);
  addComputedDefaults(operation, reading);
  await assertTarget(fields, reading, context);

  const named = new Set(reading.names.flatMap(({ field, isEntry }) => (isEntry ? [] : field)));
  const input = validateArguments(fields.byName, reading.values, { sent, named });
  operation.tool?.check?.(input);
  const checked = operation.check?.(input, context);
  return withNamesLookedUp(fields, reading, { input, checked }, context);
}

/** A bare time of day is read from its start, or from the stored row, whose ids come first. */
export function inReadingOrder({ fields, unread }: ToolReading): ToolField[] {
  const rank = ({ metadata: { kind, endOf }, location }: ToolField): number => {
    if (endOf !== null) return 1;
    return location === 'path' && kind === 'plain' ? -1 : 0;
  };
  const sentFields = Object.keys(unread).flatMap((name) => fields.get(name) ?? []);
  return sentFields.sort((a, b) => rank(a) - rank(b));
}

async function readWords(
  { operation }: ToolFields,
  reading: ToolReading,
  runRead: RunRead,
): Promise<void> {
  const { unread, values } = reading;
  for (const field of inReadingOrder(reading)) {
    const value = unread[field.name];
    if (needsStoredDay(value, field, values))
      reading.stored ??= await unchangedFields(operation, { ...unread, ...values }, runRead);
    values[field.name] = field.read(value, reading);
  }
}

function addHoursOfDates({ hours, values }: ToolReading): void {
  for (const hour of hours) values[hour.clockField] = timesWithHour(values[hour.clockField], hour);
}

function addComputedDefaults({ tool }: AnyOperation, { values, context }: ToolReading): void {
  for (const [name, compute] of Object.entries(tool?.computedDefaults ?? {}))
    values[name] ??= compute(values, context);
}

/** Throws if the call lacks its module, or the id of a row and what stands in for it. */
async function assertTarget(
  fields: ToolFields,
  { values }: ToolReading,
  { directory }: ArgumentContext,
): Promise<void> {
  for (const field of fields.byArgument.values())
    if (isRequiredModule(field) && values[field.name] == null)
      throw await missingModule(fields, field, directory);

  const id = fields.replaceableId;
  const isTarget = ({ name }: ToolField): boolean => values[name] !== undefined;
  if (id && !isTarget(id.field) && !id.targets.some(isTarget)) throw missingIdError(id);
}

const isRequiredModule = ({ schema, metadata }: ToolField): boolean =>
  metadata.kind === 'module' && (metadata.isRequiredInTools || !schema.isOptional());

/**
 * Stored values of fields that a tool may leave out of an update. Null if there is no stored
 * resource or the id is malformed.
 */
export async function unchangedFields(
  operation: AnyOperation,
  values: Readonly<Record<string, unknown>>,
  run: RunRead,
): Promise<Record<string, unknown> | null> {
  const resource = operation.tool?.storedResource;
  if (resource === undefined) return null;

  const fields = inputFields(operation);
  const ids: Record<string, unknown> = {};
  for (const name of pathParameters(operation.endpoint)) {
    const id = fields.get(name)?.schema.safeParse(values[name]);
    if (!id?.success) return null;
    ids[name] = id.data;
  }
  return resource.unchanged(await run(resource.read, ids), values);
}

const isEmpty = (argument: unknown): boolean => argument == null || argument === '';

/**
 * `parcel` or `source` in place of `module` may select another operation. Throws INVALID_TARGET if
 * both a module and a parcel are given and the operation takes only one.
 */
export function operationForArguments(
  operation: AnyOperation,
  { module, parcel, source }: Readonly<Record<string, unknown>>,
): AnyOperation {
  const { parcelVariant, sourceVariant } = operation.tool ?? {};
  if (sourceVariant !== undefined && !isEmpty(source) && isEmpty(module) && isEmpty(parcel))
    return sourceVariant;
  if (parcelVariant === undefined || isEmpty(parcel)) return operation;
  if (isEmpty(module)) return parcelVariant;
  if (inputFields(operation).has('parcelId')) return operation;

  throw invalidInputError('INVALID_TARGET', say`Both a probe and a parcel are given.`, {
    hint: say`Give ${argument('module')} for one probe, or ${argument('parcel')} for all probes of the parcel.`,
    field: 'parcel',
  });
}

/**
 * Leaves out the empty arguments that the tool takes for its other targets alone: a client may send
 * null, or an empty text, for every argument that it does not use.
 */
export function argumentsOfTarget(
  operation: AnyOperation,
  chosen: AnyOperation,
  rawArguments: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const others = variantsOf(operation).filter((variant) => variant !== chosen);
  if (others.length === 0) return { ...rawArguments };

  const own = toolFields(chosen).byArgument;
  const isOfOthers = (name: string): boolean =>
    others.some((other) => toolFields(other).byArgument.has(name));
  return Object.fromEntries(
    Object.entries(rawArguments).filter(
      ([name, value]) => !isEmpty(value) || own.has(name) || !isOfOthers(name),
    ),
  );
}
