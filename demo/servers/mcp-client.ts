import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import {
  getDefaultEnvironment,
  StdioClientTransport,
} from '@modelcontextprotocol/sdk/client/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv';
import type {
  JsonSchemaType,
  JsonSchemaValidator,
  jsonSchemaValidator,
} from '@modelcontextprotocol/sdk/validation/types.js';
import type { ProblemJson } from '../../src/schema/error.ts';

const ajv = new AjvJsonSchemaValidator();
const compiledValidators = new Map<string, JsonSchemaValidator<unknown>>();

/**
 * Compiles a schema when its first answer arrives: compiling the schemas of all tools takes longer
 * than a conversation with some of them.
 */
export const lazySchemaValidator: jsonSchemaValidator = {
  getValidator<T>(schema: JsonSchemaType): JsonSchemaValidator<T> {
    const text = JSON.stringify(schema);
    return (input) => {
      const validate =
        (compiledValidators.get(text) as JsonSchemaValidator<T> | undefined) ??
        ajv.getValidator<T>(schema);
      compiledValidators.set(text, validate);
      return validate(input);
    };
  },
};

export interface DemoToolResult {
  readonly summary: string;
  readonly result: Record<string, unknown> | null;
  readonly refusal: ProblemJson | null;
  /** The stored answer of an earlier call under the same idempotencyKey. */
  readonly isReplay: boolean;
  readonly picture: Uint8Array | null;
}

export interface DemoClient {
  readonly server: { readonly name: string; readonly version: string };
  readonly toolCount: number;
  call(name: string, args: Record<string, unknown>): Promise<DemoToolResult>;
  close(): Promise<void>;
}

export async function startDemoClient(
  command: string,
  args: string[],
  env: Readonly<Record<string, string>> = {},
): Promise<DemoClient> {
  const client = new Client(
    { name: 'acequia-demo', version: '1' },
    { jsonSchemaValidator: lazySchemaValidator },
  );
  const environment = { ...getDefaultEnvironment(), ...env };
  await client.connect(
    new StdioClientTransport({ command, args, env: environment, stderr: 'inherit' }),
  );
  const { name, version } = client.getServerVersion()!;
  // From here on the client validates results against the listed output schemas.
  const { tools } = await client.listTools();
  return {
    server: { name, version },
    toolCount: tools.length,
    async call(tool, args) {
      const answer = (await client.callTool({ name: tool, arguments: args })) as CallToolResult;
      const [textContent] = answer.content;
      const picture = answer.content.find((each) => each.type === 'image');
      return {
        summary: textContent?.type === 'text' ? textContent.text : '',
        result: answer.structuredContent ?? null,
        refusal: (answer._meta?.['acequia/error'] as ProblemJson | undefined) ?? null,
        isReplay: answer._meta?.['acequia/replayed'] === true,
        picture: picture ? Buffer.from(picture.data, 'base64') : null,
      };
    },
    close: () => client.close(),
  };
}
