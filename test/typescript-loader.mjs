// Lets Node.js import the TypeScript and JSON of this repository: `node --import` with this file.
// Tests run as modules of Node.js itself, which is faster than through Vite: nothing stands between
// an import and its use, and a source is transformed once for all processes and runs.
import { existsSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { register } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';

// Node.js runs `load` in a thread of its own, which imports this file once more.
if (isMainThread) register(import.meta.url);

const rootUrl = new URL('../', import.meta.url).href;
const root = fileURLToPath(rootUrl);

/** Outside node_modules, which several work trees may share. */
const transformed = join(root, 'build', 'transformed');

/** Imports name files with their extensions, so that there is nothing to look for. */
export function resolve(specifier, context, nextResolve) {
  return /^\.\.?\//.test(specifier) && isOwn(context.parentURL)
    ? { url: new URL(specifier, context.parentURL).href, shortCircuit: true }
    : nextResolve(specifier, context);
}

export async function load(url, context, nextLoad) {
  if (!isOwn(url)) return nextLoad(url, context);

  const path = fileURLToPath(url.split('?', 1)[0]);
  if (path.endsWith('.json')) return asModule(`export default ${readFileSync(path, 'utf8')};`);
  return /\.tsx?$/.test(path) ? asModule(await javascriptOf(path)) : nextLoad(url, context);
}

const isOwn = (url) => url?.startsWith(rootUrl) === true && !url.includes('/node_modules/');

const asModule = (source) => ({ format: 'module', source, shortCircuit: true });

async function javascriptOf(path) {
  const file = join(transformed, `${relative(root, path)}.js`);
  // At the end, because the source map counts lines from the start. A file that a branch brings
  // back is older than what was stored of the other branch.
  const version = `\n// Source of ${statSync(path).mtimeMs}\n`;
  const stored = existsSync(file) ? readFileSync(file, 'utf8') : '';
  if (stored.endsWith(version)) return stored;

  const { transform } = await import('esbuild');
  const { code: transformedCode } = await transform(readFileSync(path, 'utf8'), {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    target: 'node20.18',
    sourcefile: path,
    sourcemap: 'inline',
    sourcesContent: false,
  });
  const code = transformedCode + version;
  mkdirSync(dirname(file), { recursive: true });
  // Renamed, because other processes read it at the same time.
  const part = `${file}.${process.pid}.${threadId}`;
  writeFileSync(part, code);
  renameSync(part, file);
  return code;
}
