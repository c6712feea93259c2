// Builds dist/page.html, the live page: one file with its script and style, the same for the web and for MCP Apps.
import { createHash } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from 'esbuild';

const LARGEST_BYTES = 150_000;

const sha256 = (text) => createHash('sha256').update(text).digest('base64');

/** Parts of a language that the page uses; the whole of the three is larger than the page may be. */
const PHRASES = ['countries', 'format', 'core', 'page', 'thisDevice', 'state'];

const pagePhrases = {
  name: 'page-phrases',
  setup({ onLoad, onResolve, resolve }) {
    // Without side effects, files that only other phrases import are left out.
    onResolve({ filter: /^\.{1,2}\// }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'resolved') return undefined;
      return { ...(await resolve(path, { ...from, pluginData: 'resolved' })), sideEffects: false };
    });
    onLoad({ filter: /src\/language\/[a-z]{2}\/index\.ts$/ }, async ({ path }) => {
      const lines = (await readFile(path, 'utf8')).split('\n');
      const isUsed = (line) => PHRASES.includes(/^ {2}(\w+): \w+,$/.exec(line)?.[1] ?? 'countries');
      return { contents: lines.filter(isUsed).join('\n'), loader: 'ts' };
    });
  },
};

async function bundleScript(root, { operations, tools, version }) {
  const endpoints = Object.fromEntries(
    operations.map(({ name, endpoint: { method, path } }) => [name, `${method} ${path}`]),
  );
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    entryPoints: ['src/page/main.tsx'],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    target: ['es2022', 'safari16', 'chrome110', 'firefox115'],
    minify: true,
    charset: 'utf8',
    ...{ jsx: 'automatic', jsxImportSource: 'preact' },
    legalComments: 'none',
    define: {
      ACEQUIA_ENDPOINTS: JSON.stringify(endpoints),
      ACEQUIA_TOOLS: JSON.stringify(tools),
      ACEQUIA_VERSION: JSON.stringify(version),
    },
    plugins: [pagePhrases],
    logLevel: 'warning',
  });
  const [{ inputs }] = Object.values(metafile.outputs);
  const used = Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
  const strange = used.filter((path) => !/^(src\/|node_modules\/preact\/|<define:)/.test(path));
  if (strange.length > 0) throw new Error(`The page is not to contain ${strange.join(', ')}.`);
  // Inside HTML the text "</script" would end the script.
  return outputFiles[0].text.trim().replaceAll('</script', '<\\/script');
}

/** Beside it page.json: the hashes by which a Content-Security-Policy allows its script and style, and one of the whole. */
export async function buildPage(root, dist, contents, themeCss) {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src', 'page', 'page.css')],
    ...{ bundle: true, write: false, minify: true, target: ['safari16', 'chrome110', 'firefox115'] },
  });
  const style = `${themeCss}${outputFiles[0].text}`.trim();
  const script = await bundleScript(root, contents);
  const template = await readFile(join(root, 'src', 'page', 'page.html'), 'utf8');
  const html = template
    .replace('<!-- style -->', () => `<style>${style}</style>`)
    .replace('<!-- script -->', () => `<script type="module">${script}</script>`);
  const bytes = Buffer.byteLength(html);
  if (bytes > LARGEST_BYTES) throw new Error(`The page has ${bytes} bytes; at most ${LARGEST_BYTES} are allowed.`);
  const hash = createHash('sha256').update(html).digest('hex').slice(0, 16);
  const described = { hash, bytes, script: `sha256-${sha256(script)}`, style: `sha256-${sha256(style)}` };
  await writeFile(join(dist, 'page.html'), html);
  await writeFile(join(dist, 'page.json'), JSON.stringify(described));
  return described;
}
