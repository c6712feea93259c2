// Shortens the start of the program (bench/cold-start.mjs) and lowers its memory when idle
// (bench/memory.mjs).
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const ENTRY = 'acequia.js';
const START = 'start.js';
const LICENCES = `${START}.LEGAL.txt`;

/** The files that the entry imports statically, each after those that it imports itself. */
function startOf(outputs) {
  const start = new Set();
  const visit = (name) => {
    for (const { path, kind } of outputs.get(name).imports) {
      const other = basename(path);
      if (kind !== 'import-statement' || !outputs.has(other) || start.has(other)) continue;
      visit(other);
      start.add(other);
    }
  };
  visit(ENTRY);
  return [...start];
}

/** Bundles the files of the start and leaves every other import as it is. */
const joinPlugin = (isOfStart) => ({
  name: 'join-start',
  setup: ({ onResolve }) =>
    onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind !== 'dynamic-import' && isOfStart(path) ? undefined : { path, external: true },
    ),
});

/** Makes the other files import from the joined file what the files of the start exported. */
const importJoinedPlugin = (isOfStart, namesIn) => ({
  name: 'import-joined',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, kind, namespace }) => {
      if (kind === 'entry-point') return undefined;
      return namespace === 'file' && isOfStart(path)
        ? { path: basename(path), namespace: 'start', sideEffects: false }
        : { path, external: true };
    });
    onLoad({ filter: /.*/, namespace: 'start' }, ({ path }) => ({
      contents: `export {${namesIn(path).map(({ name, joined }) => `${joined} as ${name}`)}} from './${START}'`,
    }));
  },
});

/**
 * Joins the many small files that the program starts with into one, because Node.js looks up, reads
 * and links each file separately. All other files import from the joined one. `build` is esbuild
 * with the shared options.
 */
export async function joinStart(build, dist, metafile) {
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
  );

  const start = startOf(outputs);
  const isOfStart = (path) => start.includes(basename(path));
  // Two files may export the same name.
  const namesIn = (file) =>
    outputs
      .get(file)
      .exports.map((name) => ({ name, joined: `from${start.indexOf(file)}_${name}` }));

  const others = [...outputs.keys()].filter((name) => name.endsWith('.js') && !isOfStart(name));
  for (const name of others)
    for (const { path, kind } of outputs.get(name).imports)
      if (kind === 'dynamic-import' && isOfStart(path))
        throw new Error(
          `${name} loads ${path} on first use, which the program loads at its start anyway: import it statically`,
        );

  const contents = start
    .map(
      (file) =>
        `export {${namesIn(file).map(({ name, joined }) => `${name} as ${joined}`)}} from './${file}';`,
    )
    .join('\n');
  const licences = await licencesOf(dist, start);
  const footer = licences === '' ? '' : `/*! For license information please see ${LICENCES} */`;
  await build({
    stdin: { contents, resolveDir: dist },
    outfile: join(dist, START),
    plugins: [joinPlugin(isOfStart)],
    // The licence comments of the single files refer to files that are removed below.
    legalComments: 'none',
    footer: { js: footer },
  });

  await build({
    entryPoints: others.map((name) => join(dist, name)),
    outdir: dist,
    allowOverwrite: true,
    plugins: [importJoinedPlugin(isOfStart, namesIn)],
    // An import without names only made the file run first, which the joined file does too.
    logOverride: { 'ignored-bare-import': 'silent' },
  });

  for (const file of start) await rm(join(dist, file));
  if (licences !== '') await writeFile(join(dist, LICENCES), licences);
}

/** Collects the licences of the joined files and deletes their own licence files. */
async function licencesOf(dist, files) {
  let texts = '';
  for (const name of files) {
    const file = join(dist, `${name}.LEGAL.txt`);
    texts += await readFile(file, 'utf8').catch(() => '');
    await rm(file, { force: true });
  }
  return texts;
}

/**
 * The protocol schemas that the SDK builds when it loads: over a thousand, most of them for
 * clients.
 */
const SCHEMAS = /@modelcontextprotocol[\\/]core[\\/]dist[\\/](schemas|auth)-[^\\/]*\.mjs$/;

/** The part of the SDK that registers all of its schemas in one table. */
const SDK = /@modelcontextprotocol[\\/]server[\\/]dist[\\/]src-[^\\/]*\.mjs$/;

const VALIDATOR = /ajvProvider-.*\.mjs$/;

/** A schema ends before the next line that begins without a space or a closing bracket. */
const SCHEMA = /^const (\w+Schema) = ([\s\S]*?);\n(?=[^\s})\]]|\n)/gm;

const REGISTRATION = /^for \(.*\) register\(key, .*\);$/gm;

async function replaced(path, pattern, replacement) {
  const text = await readFile(path, 'utf8');
  const contents = text.replace(pattern, replacement);
  if (contents === text)
    throw new Error(`${path} has changed: adapt the pattern that removes a part of it`);
  return { contents };
}

/**
 * Leaves out the schemas of the SDK that this server does not use, and its validator of elicited
 * answers, which operations check themselves.
 */
export const unusedSdkParts = {
  name: 'unused-sdk-parts',
  setup({ onLoad }) {
    onLoad({ filter: SCHEMAS }, ({ path }) =>
      replaced(path, SCHEMA, 'const $1 = /* @__PURE__ */ (() => $2)();\n'),
    );
    // The table of all schemas would keep them in the bundle, and this server does not use it.
    onLoad({ filter: SDK }, ({ path }) => replaced(path, REGISTRATION, ''));
    onLoad({ filter: VALIDATOR }, () => ({
      contents:
        'export class AjvJsonSchemaValidator { getValidator() { return (input) => ({ valid: true, data: input }); } }; export { AjvJsonSchemaValidator as n };',
    }));
  },
};
