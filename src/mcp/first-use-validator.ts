import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js';

const ajv = new AjvJsonSchemaValidator();
const compiledValidators = new Map<string, JsonSchemaValidator<unknown>>();

/**
 * Holds answers against their schemas as the SDK's client does by itself, but compiles a schema when the first answer by
 * it comes, once in a process: all of a list of tools take longer than a conversation with some of them.
 */
export const lazySchemaValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    return (input) => {
      const known = (compiledValidators.get(text) as JsonSchemaValidator<T> | undefined) ?? ajv.getValidator<T>(schema);
      compiledValidators.set(text, known);
      return known(input);
    };
  },
};
