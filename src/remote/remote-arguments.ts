import { argument, operationName } from '../domain/text/program-names.ts';
import { list, say } from '../domain/text/say.ts';
import type { OperationArguments } from '../operation/arguments/operation-arguments.ts';
import { takesAmounts } from '../operation/arguments/tool-amounts.ts';
import { unchangedFields } from '../operation/arguments/tool-arguments.ts';
import { toolFields } from '../operation/arguments/tool-fields.ts';
import type { AnyOperation, ArgumentContext } from '../operation/operation.ts';
import { inputFields, pathParameters } from '../operation/operation-fields.ts';
import type { OperationRequest } from '../operation/operation-runner.ts';
import type { ReadingFormats } from '../operation/rest-conventions.ts';
import type { Advisory } from '../schema/advisory.ts';
import { AcequiaError, invalidInputError } from '../schema/error.ts';
import { isInstantKind } from '../schema/field.ts';
import type { RemoteNames } from './remote-company.ts';
import type { RemoteRun } from './remote-run.ts';
import { unusableAnswer } from './unusable-answer.ts';

/** A time that is the same instant in both of these zones does not depend on the company's zone. */
const FAR_WEST = 'Etc/GMT+12';
const FAR_EAST = 'Pacific/Kiritimati';

/** Adds stored values for what a tool may leave out and REST requires or would empty. */
export async function readWriteArguments(run: RemoteRun): Promise<OperationArguments> {
  const { operation, runRead } = run;
  const operationArguments = await withKeptFields(run, await readRemoteArguments(run));
  const { restArguments } = operationArguments;
  const missing = [...inputFields(operation).values()].flatMap(({ name, metadata }) =>
    metadata.isRequiredInRest && restArguments[name] === undefined ? [name] : [],
  );
  if (missing.length === 0) return operationArguments;

  try {
    const unchanged = await unchangedFields(operation, restArguments, runRead);
    return { ...operationArguments, restArguments: { ...unchanged, ...restArguments } };
  } catch (error) {
    throw isUnknownEndpoint(error)
      ? requiredFieldsError(missing, error)
      : unusableAnswer(operation, [], error);
  }
}

async function withKeptFields(
  { operation, runRead, now }: RemoteRun,
  operationArguments: OperationArguments,
): Promise<OperationArguments> {
  const resource = operation.tool?.keptResource;
  if (resource === undefined) return operationArguments;

  const { restArguments, input, advisories } = operationArguments;
  const ids = pathParameters(operation.endpoint).map((name) => [name, input[name]]);
  const stored = await runRead(resource.read, Object.fromEntries(ids)).catch(nullIfNotShown);
  try {
    const kept = resource.argumentsToKeep(stored, input, now);
    return {
      ...operationArguments,
      restArguments: { ...restArguments, ...kept.fields },
      advisories: [...advisories, ...kept.advisories],
    };
  } catch (error) {
    throw unusableAnswer(operation, [], error);
  }
}

function nullIfNotShown(error: unknown): null {
  if (error instanceof AcequiaError && (error.status === 403 || error.status === 404)) return null;
  throw error;
}

export async function readRemoteArguments(run: RemoteRun): Promise<OperationArguments> {
  try {
    return await readWithNames(run);
  } catch (error) {
    throw unusableAnswer(run.operation, [], error);
  }
}

/**
 * Lists are fetched again if a cached one lacks a name or matches it only loosely. Without access
 * to the lists, ids and times with an offset still work.
 */
async function readWithNames(run: RemoteRun): Promise<OperationArguments> {
  const { request, company, now, deadline, runRead } = run;
  const formats = await formatsNeeded(run);
  const { countryCode, units } = formats instanceof AcequiaError ? UNKNOWN_FORMATS : formats;
  const zone = formats instanceof AcequiaError ? formats : formats.zone;
  const context = { zone, countryCode, units, lang: company.lang, now, runRead };

  const names = company.names(deadline);
  try {
    const parsed = await readInZone(request, context, names);
    if (!names.isFromCache || !parsed.advisories.some(isLooseName)) return parsed;
  } catch (error) {
    if (!(error instanceof AcequiaError) || !names.isFromCache) throw withAccessError(error, names);
  }

  const freshNames = company.names(deadline, { isRefresh: true });
  try {
    return await readInZone(request, context, freshNames);
  } catch (error) {
    throw withAccessError(error, freshNames);
  }
}

const UNKNOWN_FORMATS: ReadingFormats = { zone: 'UTC', countryCode: null, units: 'metric' };

/** An amount is read without them if the company cannot be read, a time is not. */
async function formatsNeeded(run: RemoteRun): Promise<ReadingFormats | AcequiaError> {
  if (takesTimes(run.operation)) return run.readFormats();
  if (!takesAmounts(run.operation)) return UNKNOWN_FORMATS;

  const formats = await run.readFormats().catch(() => UNKNOWN_FORMATS);
  return formats instanceof AcequiaError ? UNKNOWN_FORMATS : formats;
}

const isLooseName = (advisory: Advisory): boolean =>
  advisory.kind === 'name_understood' || advisory.kind === 'only_probe_of_parcel';

const takesTimes = (operation: AnyOperation): boolean =>
  [...toolFields(operation).byArgument.values()].some(
    ({ metadata: { kind } }) => isInstantKind(kind) || ['point', 'date', 'period'].includes(kind),
  );

/** `zone` is an error if the key may not read it. Then only times that need no zone are accepted. */
async function readInZone(
  request: OperationRequest,
  {
    zone,
    ...context
  }: Pick<ArgumentContext, 'countryCode' | 'units' | 'lang' | 'now' | 'runRead'> & {
    readonly zone: string | AcequiaError;
  },
  { directory }: RemoteNames,
): Promise<OperationArguments> {
  if (typeof zone === 'string') return request.readArguments({ ...context, zone, directory });

  const west = await request.readArguments({ ...context, zone: FAR_WEST, directory });
  const east = await request.readArguments({ ...context, zone: FAR_EAST, directory });
  if (JSON.stringify(west.restArguments) === JSON.stringify(east.restArguments)) return west;

  throw invalidInputError(
    zone.code,
    say`The time is local, and the company time zone is not readable with this key: ${zone.texts.message}`,
    {
      status: zone.status,
      hint: say`Give the time with its offset, such as "2026-07-01T06:00:00+02:00", or use a key with the scope company:read.`,
    },
  );
}

/** A name may exist in a list that the key may not read, so it is not reported as unknown. */
function withAccessError(error: unknown, names: RemoteNames): unknown {
  const { accessError } = names;
  if (accessError === null || !(error instanceof AcequiaError)) return error;

  const { field } = error;
  const asField = field === undefined ? null : say`, as ${argument(field)}`;
  return new AcequiaError({
    code: accessError.code,
    status: accessError.status,
    message: say`Names cannot be looked up with this key: ${accessError.texts.message}`,
    hint: say`Pass an id with # before it, such as "#12"${asField}.`,
    field,
  });
}

const isUnknownEndpoint = (error: unknown): error is AcequiaError =>
  error instanceof AcequiaError && error.status === 404 && error.code === 'not_found';

function requiredFieldsError(
  names: readonly string[],
  { code, status }: AcequiaError,
): AcequiaError {
  const required = list(names.map(argument));
  return new AcequiaError({
    code,
    status,
    message: say`The service requires ${required}, and does not return their current values.`,
    hint: say`Pass ${required} as ${operationName('list_waterings')} shows them.`,
    field: names[0],
  });
}
