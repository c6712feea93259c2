// Shortens the start of the program (bench/cold-start.mjs) and lowers its memory when idle
// (bench/memory.mjs).
import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const ENTRY = 'acequia.js';
const START = 'start.js';

/** What is loaded at one time, beside the start: files of dynamic imports, or entries. */
const LOADED_TOGETHER = [
  ['src/cli/mcp/stdio-run.ts'],
  // Two seconds later, also while nobody calls.
  ['src/store/store.ts', 'src/service/jobs/background-jobs.ts'],
  // With the first call of an assistant or a terminal.
  ['src/mcp/store-handlers.ts'],
  ['src/cli/tool-commands/call-run.ts'],
  ['src/cli/store-commands/import-run.ts'],
  ['src/cli/serve/serve-run.ts'],
  ['src/cli/reads/read-worker.ts'],
];

/** Calls `onFile` with the files that these import statically, each after those that it imports. */
function visitImports(outputs, names, onFile) {
  const visited = new Set();
  const visit = (name) => {
    if (visited.has(name)) return;
    visited.add(name);
    for (const { path, kind } of outputs.get(name).imports)
      if (kind === 'import-statement' && outputs.has(basename(path))) visit(basename(path));
    onFile(name);
  };
  names.forEach(visit);
}

/**
 * The files to join, by the name of the joined file: those that are loaded on the same occasions.
 * A file imports only what is loaded at least as often, so the imports of joined files form no
 * cycle.
 */
function groupsOf(outputs) {
  const fileOf = (entryPoint) => {
    const found = [...outputs].find(([, output]) => output.entryPoint === entryPoint);
    if (found === undefined) throw new Error(`${entryPoint} is no entry and not imported lazily`);
    return found[0];
  };

  const occasions = new Map();
  for (const [index, entryPoints] of LOADED_TOGETHER.entries())
    visitImports(outputs, entryPoints.map(fileOf), (name) =>
      occasions.set(name, `${occasions.get(name) ?? ''}${index}`),
    );
  visitImports(outputs, [ENTRY], (name) => occasions.set(name, START));

  const groups = new Map();
  visitImports(outputs, [ENTRY, ...LOADED_TOGETHER.flat().map(fileOf)], (name) => {
    // The entries are started by their names.
    if (!name.startsWith('chunk-')) return;
    const occasion = occasions.get(name);
    const group = occasion === START ? START : `chunk-joined-${occasion}.js`;
    groups.set(group, [...(groups.get(group) ?? []), name]);
  });
  return groups;
}

/** Bundles the files of `group`, and imports from other joined files what their parts exported. */
const joinPlugin = (groupOf, namesIn, group = null) => ({
  name: 'join-files',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /.*/ }, ({ path, kind, namespace }) => {
      if (kind === 'entry-point') return undefined;
      const other = kind === 'dynamic-import' ? undefined : groupOf.get(basename(path));
      if (namespace === 'joined' || other === undefined) return { path, external: true };
      if (other === group) return undefined;
      return { path: basename(path), namespace: 'joined', sideEffects: false };
    });
    onLoad({ filter: /.*/, namespace: 'joined' }, ({ path }) => ({
      contents: `export {${namesIn(path).map(({ name, joined }) => `${joined} as ${name}`)}} from './${groupOf.get(path)}'`,
    }));
  },
});

/**
 * Joins the many small files that the program loads together, because Node.js looks up, reads and
 * links each file separately. `build` is esbuild with the shared options.
 */
export async function joinFiles(build, dist, metafile) {
  const outputs = new Map(
    Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]),
  );
  const groups = groupsOf(outputs);
  const groupOf = new Map(
    [...groups].flatMap(([group, files]) => files.map((file) => [file, group])),
  );
  // Two files may export the same name.
  const namesIn = (file) =>
    outputs.get(file).exports.map((name) => ({
      name,
      joined: `from${groups.get(groupOf.get(file)).indexOf(file)}_${name}`,
    }));

  const sources = [...outputs.keys()].filter((name) => name.endsWith('.js'));
  const loadedLazily = new Set(
    sources.flatMap((name) =>
      outputs
        .get(name)
        .imports.filter(({ kind }) => kind === 'dynamic-import')
        .map(({ path }) => basename(path)),
    ),
  );
  const late = groups.get(START).find((file) => loadedLazily.has(file));
  if (late !== undefined)
    throw new Error(
      `${outputs.get(late).entryPoint} is loaded on first use, and at the start anyway: import it statically`,
    );

  const alone = sources.filter((name) => !groupOf.has(name));
  for (const [group, files] of groups) {
    const licences = await licencesOf(dist, files);
    const file = `${group}.LEGAL.txt`;
    await build({
      stdin: {
        contents: files
          .map(
            (each) =>
              `export {${namesIn(each).map(({ name, joined }) => `${name} as ${joined}`)}} from './${each}';`,
          )
          .join('\n'),
        resolveDir: dist,
      },
      outfile: join(dist, group),
      plugins: [joinPlugin(groupOf, namesIn, group)],
      // The licence comments of the single files refer to files that are removed below.
      legalComments: 'none',
      footer: {
        js: licences === '' ? '' : `/*! For license information please see ${file} */`,
      },
      logOverride: { 'ignored-bare-import': 'silent' },
    });
    if (licences !== '') await writeFile(join(dist, file), licences);
  }

  await build({
    entryPoints: alone.map((name) => join(dist, name)),
    outdir: dist,
    allowOverwrite: true,
    plugins: [joinPlugin(groupOf, namesIn)],
    // An import without names only made the file run first, which the joined file does too.
    logOverride: { 'ignored-bare-import': 'silent' },
  });

  for (const [file, group] of groupOf) {
    const path = join(dist, file);
    if (!loadedLazily.has(file)) await rm(path);
    else
      await writeFile(
        path,
        `export {${namesIn(file).map(({ name, joined }) => `${joined} as ${name}`)}} from "./${group}";\n`,
      );
  }
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
