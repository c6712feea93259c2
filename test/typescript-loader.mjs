// Lets Node.js import the TypeScript and JSON of this repository: `node --import` with this file.
// Tests run as modules of Node.js itself, which is faster than through Vite: nothing stands between
// an import and its use, and a source is transformed once for all processes and runs.
import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { register } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId } from 'node:worker_threads';

// Node.js runs `load` in a thread of its own, which imports this file once more.
if (isMainThread) register(import.meta.url);

const root = fileURLToPath(new URL('../', import.meta.url));

/** Outside node_modules, which several work trees may share. */
const transformed = join(root, 'build', 'transformed');

export async function load(url, context, nextLoad) {
  const path = url.startsWith('file:') ? fileURLToPath(url.split('?', 1)[0]) : '';
  if (!path.startsWith(root) || path.includes(`${sep}node_modules${sep}`))
    return nextLoad(url, context);

  if (path.endsWith('.json')) return asModule(`export default ${await readFile(path, 'utf8')};`);
  return /\.tsx?$/.test(path) ? asModule(await javascriptOf(path)) : nextLoad(url, context);
}

const asModule = (source) => ({ format: 'module', source, shortCircuit: true });

async function javascriptOf(path) {
  const file = join(transformed, `${relative(root, path)}.js`);
  const [source, stored] = await Promise.all([stat(path), readFile(file, 'utf8').catch(() => '')]);
  // At the end, because the source map counts lines from the start. A file that a branch brings
  // back is older than what was stored of the other branch.
  const version = `\n// Source of ${source.mtimeMs}\n`;
  if (stored.endsWith(version)) return stored;

  const { transform } = await import('esbuild');
  const { code: transformedCode } = await transform(await readFile(path, 'utf8'), {
    loader: path.endsWith('x') ? 'tsx' : 'ts',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    target: 'node20.18',
    sourcefile: path,
    sourcemap: 'inline',
    sourcesContent: false,
  });
  const code = transformedCode + version;
  await mkdir(dirname(file), { recursive: true });
  // Renamed, because other processes read it at the same time.
  const part = `${file}.${process.pid}.${threadId}`;
  await writeFile(part, code);
  await rename(part, file);
  return code;
}
