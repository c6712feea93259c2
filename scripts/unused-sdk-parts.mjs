import { readFile } from 'node:fs/promises';

/** The schemas of the protocol, which the SDK builds as it loads: over a thousand, most of them for clients. */
const SCHEMAS = /@modelcontextprotocol[\\/]core[\\/]dist[\\/](schemas|auth)-[^\\/]*\.mjs$/;

const SDK = /@modelcontextprotocol[\\/]server[\\/]dist[\\/]src-[^\\/]*\.mjs$/;

const VALIDATOR = /ajvProvider-.*\.mjs$/;

/** Ends before the next line that begins without a space or a closing bracket. */
const SCHEMA = /^const (\w+Schema) = ([\s\S]*?);\n(?=[^\s})\]]|\n)/gm;

const REGISTRATION = /^for \(.*\) register\(key, .*\);$/gm;

async function replaced(path, pattern, replacement) {
  const text = await readFile(path, 'utf8');
  const contents = text.replace(pattern, replacement);
  if (contents === text) throw new Error(`${path} has changed: what is left out of it has to be looked up again`);
  return { contents };
}

/**
 * Leaves out the schemas of the SDK that this server does not use, and its validator of elicited answers, which operations
 * check themselves. Together with join-start.mjs it keeps a cold start short (bench/cold-start.mjs) and the memory of
 * a server that waits low (bench/memory.mjs).
 */
export const unusedSdkParts = {
  name: 'unused-sdk-parts',
  setup({ onLoad }) {
    onLoad({ filter: SCHEMAS }, ({ path }) => replaced(path, SCHEMA, 'const $1 = /* @__PURE__ */ (() => $2)();\n'));
    // The table of all schemas would keep them, and nothing here looks into it.
    onLoad({ filter: SDK }, ({ path }) => replaced(path, REGISTRATION, ''));
    onLoad({ filter: VALIDATOR }, () => ({
      contents:
        'export class AjvJsonSchemaValidator { getValidator() { return (input) => ({ valid: true, data: input }); } }; export { AjvJsonSchemaValidator as n };',
    }));
  },
};
