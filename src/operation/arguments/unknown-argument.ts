import { z } from 'zod/v3';
import { argument, argumentNames } from '../../domain/text/program-names.ts';
import { quotedName, say, sentences } from '../../domain/text/say.ts';
import type { Text } from '../../domain/text/text.ts';
import { nearestWord } from '../../language/words/nearest-word.ts';
import { type AcequiaError, invalidInputError } from '../../schema/error.ts';
import { fieldMetadata, innerSchema } from '../../schema/field.ts';
import type { AnyOperation } from '../operation.ts';
import { toolArgumentName } from '../operation-fields.ts';
import { isWrite } from '../operation-kind.ts';

/** In characters; longer than the name of any argument. */
const MAX_NAME_LENGTH = 60;

export function unknownArgumentError(
  operation: AnyOperation,
  sent: string,
  known: readonly string[],
): AcequiaError {
  const name = sent.slice(0, MAX_NAME_LENGTH);
  const nearest = nestedArgument(operation, name) ?? argumentOrNull(nearestWord(name, known));

  return invalidInputError(
    isWrite(operation) ? 'invalid_body' : 'invalid_parameter',
    say`There is no argument ${quotedName(sent)}.`,
    {
      hint: sentences([
        nearest && say`Nearest: ${nearest}.`,
        say`It takes ${known.length === 0 ? say`no argument` : argumentNames(known)}.`,
      ]),
      field: name,
    },
  );
}

const argumentOrNull = (path: string | null): Text | null =>
  path === null ? null : say`${argument(path)}`;

/** Of a list or an object, the field that is called so, or whose value is: "soilHorizonId of layers". */
function nestedArgument(operation: AnyOperation, name: string): Text | null {
  for (const [outer, schema] of Object.entries<z.ZodTypeAny>(operation.input.shape)) {
    const found = Object.entries(nestedShape(schema)).find(([inner, field]) =>
      [inner, fieldMetadata(field).kind].some((each) => each.toLowerCase() === name.toLowerCase()),
    );
    if (found) return say`${argument(found[0])} of ${argument(toolArgumentName(operation, outer))}`;
  }
  return null;
}

function nestedShape(schema: z.ZodTypeAny): z.ZodRawShape {
  const inner = innerSchema(schema);
  if (inner instanceof z.ZodArray) return nestedShape(inner.element);
  return inner instanceof z.ZodObject ? inner.shape : {};
}
