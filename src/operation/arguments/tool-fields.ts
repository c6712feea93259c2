import type { z } from 'zod/v3';
import { acceptsNull } from '../../schema/field.ts';
import { moduleRef, parcelRef } from '../../schema/shared-fields.ts';
import type { AnyOperation, IdLookup } from '../operation.ts';
import {
  type FieldsByName,
  inputFields,
  type OperationField,
  oncePerOperation,
  operationField,
} from '../operation-fields.ts';
import { readEntryName, TOOL_READERS } from './tool-readers.ts';
import type { ToolField } from './tool-reading.ts';

/** The id in a path that a tool may leave out if it names the probe or parcel of the row. */
export interface ReplaceableId {
  readonly field: ToolField;
  readonly targets: readonly ToolField[];
  readonly lookup: IdLookup;
}

export interface ToolFields {
  readonly operation: AnyOperation;
  /** In the order of the input; those that stand in for an id are last. */
  readonly byName: FieldsByName<ToolField>;
  /** The fields that a tool takes, in the order in which it lists them. */
  readonly byArgument: FieldsByName<ToolField>;
  /** The arguments that `clear` may name. */
  readonly clearable: readonly string[];
  readonly replaceableId: ReplaceableId | null;
}

const TARGETS: readonly [name: string, schema: z.ZodTypeAny][] = [
  ['moduleId', moduleRef({ description: 'Or its probe.' }).optional()],
  ['parcelId', parcelRef({ description: 'Or its parcel.' }).optional()],
];

export const toolFields = oncePerOperation((operation: AnyOperation): ToolFields => {
  const own = [...inputFields(operation).values()].map((field) => toolField(operation, field));
  const replaceableId = replaceableIdIn(operation, own);
  const targets = replaceableId?.targets ?? [];
  const taken = own.flatMap((field) => {
    if (field.metadata.isRestOnly) return [];
    return field === replaceableId?.field ? [field, ...targets] : [field];
  });
  const clearable = operation.effect === 'update' ? taken.filter(canBeEmptied) : [];

  return {
    operation,
    byName: new Map([...own, ...targets].map((field) => [field.name, field])),
    byArgument: new Map(taken.map((field) => [field.argument, field])),
    clearable: clearable.map(({ argument }) => argument),
    replaceableId,
  };
});

function toolField({ tool }: AnyOperation, field: OperationField): ToolField {
  const { name, location, metadata } = field;
  const isReplaceable = location === 'path' && tool?.idLookup !== undefined;
  const schema = isReplaceable ? field.schema.optional() : field.schema;
  const isEntryName = name === 'name' && tool?.namedEntry !== undefined;
  const read = isEntryName ? readEntryName : TOOL_READERS[metadata.kind].read;

  const compiled: ToolField = {
    ...field,
    schema,
    argument: metadata.argument ?? name,
    read: (value, reading) => read(value, { field: compiled, path: [], schema, metadata, reading }),
  };
  return compiled;
}

function replaceableIdIn(
  operation: AnyOperation,
  fields: readonly ToolField[],
): ReplaceableId | null {
  const lookup = operation.tool?.idLookup;
  const field = fields.find(({ location }) => location === 'path');
  if (lookup === undefined || field === undefined) return null;

  const targets = TARGETS.map(([name, schema]) =>
    toolField(operation, operationField(operation.endpoint, name, schema)),
  );
  return { field, targets, lookup };
}

const canBeEmptied = ({ schema, metadata }: OperationField): boolean =>
  acceptsNull(schema) && !metadata.isAbsentIfNull;
