import { readFile, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';

const ENTRY = 'acequia.js';
/** The file that all is joined in which the entry takes along. */
const START = 'start.js';
const LICENCES = `${START}.LEGAL.txt`;

/** The files that a build's entry loads by plain imports, itself left out, in the order in which they are run. */
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

/** Bundles the files of the start; what they load on first use, and what comes from elsewhere, stays where it is. */
const joining = (isOfStart) => ({
  name: 'joining',
  setup: ({ onResolve }) =>
    onResolve({ filter: /.*/ }, ({ path, kind }) =>
      kind !== 'dynamic-import' && isOfStart(path) ? undefined : { path, external: true },
    ),
});

/** Leaves every import of a file as it is, but for those of the start: they become imports of the joined one. */
const taking = (isOfStart, namesIn) => ({
  name: 'taking',
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
 * Joins the many small files that the program starts with into one: for each of them Node.js would look, read and link.
 * All others take from that one what they took from these. `build` is the bundler's, with what all builds share.
 */
export async function joinStart(build, dist, metafile) {
  const outputs = new Map(Object.entries(metafile.outputs).map(([path, output]) => [basename(path), output]));
  const start = startOf(outputs);
  const isOfStart = (path) => start.includes(basename(path));
  // Two files may give something of the same name.
  const namesIn = (file) =>
    outputs.get(file).exports.map((name) => ({ name, joined: `from${start.indexOf(file)}_${name}` }));

  const others = [...outputs.keys()].filter((name) => name.endsWith('.js') && !isOfStart(name));
  for (const name of others)
    for (const { path, kind } of outputs.get(name).imports)
      if (kind === 'dynamic-import' && isOfStart(path))
        throw new Error(`${name} loads ${path} on first use, which comes with the start: import it plainly`);

  const contents = start
    .map((file) => `export {${namesIn(file).map(({ name, joined }) => `${name} as ${joined}`)}} from './${file}';`)
    .join('\n');
  const licences = await licencesOf(dist, start);
  await build({
    stdin: { contents, resolveDir: dist },
    outfile: join(dist, START),
    plugins: [joining(isOfStart)],
    // Those of the single files name the places that they stood in.
    legalComments: 'none',
    ...(licences !== '' && { footer: { js: `/*! For license information please see ${LICENCES} */` } }),
  });
  await build({
    entryPoints: others.map((name) => join(dist, name)),
    outdir: dist,
    allowOverwrite: true,
    plugins: [taking(isOfStart, namesIn)],
    // That a file of the start was to be run first: it was.
    logOverride: { 'ignored-bare-import': 'silent' },
  });
  for (const file of start) await rm(join(dist, file));
  if (licences !== '') await writeFile(join(dist, LICENCES), licences);
}

/** Takes the licences of files: they go where the code goes that they are of. */
async function licencesOf(dist, files) {
  let texts = '';
  for (const name of files) {
    const file = join(dist, `${name}.LEGAL.txt`);
    texts += await readFile(file, 'utf8').catch(() => '');
    await rm(file, { force: true });
  }
  return texts;
}
