import { quote } from '../../domain/strings.ts';
import type { NameDirectory } from '../../language/summary-context.ts';
import type { Advisory } from '../../schema/advisory.ts';
import type { AcequiaError } from '../../schema/error.ts';
import type { ArgumentContext } from '../operation.ts';
import { toolNameOf } from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';
import { validateArguments } from './argument-validation.ts';
import { findRow } from './id-lookup.ts';
import { unnamedModule } from './name-errors.ts';
import {
  type NameField,
  type ResolvedName,
  resolveEntryName,
  resolveModule,
  resolveParcel,
} from './name-resolution.ts';
import type { OperationArguments } from './operation-arguments.ts';
import { type ReplaceableId, type ToolFields, toolFields } from './tool-fields.ts';
import type { NameArgument, ToolField, ToolReading } from './tool-reading.ts';

type Values = Record<string, unknown>;

/** Replaces names by ids. The other fields stay as they were checked before. */
export async function withNamesLookedUp(
  fields: ToolFields,
  reading: ToolReading,
  { input, checked }: Pick<OperationArguments, 'input' | 'checked'>,
  context: ArgumentContext,
): Promise<OperationArguments> {
  const { names } = reading;
  const values = { ...reading.values };
  const advisories = [...reading.advisories];
  for (const name of names)
    advisories.push(...(await lookUp(fields, name, values, context.directory)));

  const inputWithIds = { ...input };
  for (const { field } of names) inputWithIds[field.name] = values[field.name];

  const id = fields.replaceableId;
  const isOfTarget = id?.targets.some(({ name }) => values[name] !== undefined);
  if (id === null || !isOfTarget)
    return { restArguments: values, input: inputWithIds, checked, advisories };

  const row = await findRow(id, { ...values, [id.field.name]: input[id.field.name] }, context);
  id.lookup.check?.(row, input);
  return {
    restArguments: withRowId(id, row.id, values),
    input: withRowId(id, row.id, inputWithIds),
    checked,
    advisories,
  };
}

/** Sets the value of the field. */
async function lookUp(
  fields: ToolFields,
  { field, text, isEntry }: NameArgument,
  values: Values,
  directory: NameDirectory,
): Promise<Advisory[]> {
  const { namedEntry } = fields.operation.tool ?? {};
  if (isEntry && namedEntry !== undefined) {
    const name = text.trim();
    const resolved = await resolveEntryName(name, namedEntry, values, directory);
    values[field.name] = resolved === null ? name : `#${resolved.id}`;
    return resolved === null ? [] : nameAdvisories(name, resolved);
  }

  const resolve = field.metadata.kind === 'module' ? resolveModule : resolveParcel;
  const resolved = await resolve(text, directory, nameFieldOf(fields, field));
  values[field.name] = resolved.id;
  // A text such as "#0" is an id that no row can have.
  validateArguments(new Map([[field.name, field]]), { [field.name]: resolved.id });
  return nameAdvisories(text, resolved);
}

function withRowId({ field, targets }: ReplaceableId, rowId: unknown, values: Values): Values {
  const withId = { ...values, [field.name]: rowId };
  for (const { name } of targets) delete withId[name];
  return withId;
}

function nameFieldOf({ operation, byArgument }: ToolFields, field: ToolField): NameField {
  const { tool } = operation;
  const variant = tool?.parcelVariant ? toolFields(tool.parcelVariant).byArgument : byArgument;
  const takesParcel = [...variant.values()].some(({ metadata }) => metadata.replacesModule);
  const takesModule =
    tool?.name !== undefined ||
    [...byArgument.values()].some(({ metadata }) => metadata.kind === 'module');

  return {
    field: field.argument,
    code: field.metadata.unknownCode ?? 'not_found',
    takesModule,
    tool: takesParcel ? toolNameOf(operation) : undefined,
    isWrite: isWrite(operation),
  };
}

/** The error of a call that lacks its module: it names the probes that may be meant. */
export async function missingModule(
  fields: ToolFields,
  field: ToolField,
  directory: NameDirectory,
): Promise<AcequiaError> {
  return unnamedModule(
    {
      ...nameFieldOf(fields, field),
      code: field.errorCode,
      missingScope: directory.missingScopes?.modules ?? null,
    },
    await directory.modules(),
    field.metadata.hint,
  );
}

function nameAdvisories(text: string, { onlyProbe, matchedName }: ResolvedName): Advisory[] {
  const advisories: Advisory[] = [];
  if (onlyProbe) advisories.push({ kind: 'only_probe_of_parcel', ...onlyProbe });
  if (matchedName !== undefined)
    advisories.push({ kind: 'name_understood', text: quote(text), name: matchedName });
  return advisories;
}
