// Builds the live page: dist/page.html for browsers, dist/chat-page.html for MCP Apps, each one file
// with its script and style, and dist/page/.
import { createHash } from 'node:crypto';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { Resvg } from '@resvg/resvg-js';
import { minify } from '@swc/core';
import { build } from 'esbuild';

/**
 * A browser receives its page compressed, so what is sent is limited. A host of MCP Apps receives the
 * chat page as it is, inside an answer.
 */
const LIMITS = {
  'page.html': { bytesOf: (html) => gzipSync(html).length, most: 70_000, form: 'compressed ' },
  'chat-page.html': { bytesOf: (html) => Buffer.byteLength(html), most: 300_000, form: '' },
};

const sha256 = (text) => createHash('sha256').update(text).digest('base64');

/**
 * The parts of a language that the page uses, so that it does not load what only tools say.
 */
const PHRASES = ['format', 'time', 'chartLabels', 'page', 'pageChart', 'thisDevice', 'usUnits'];

const pagePhrases = {
  name: 'page-phrases',
  setup({ onLoad, onResolve, resolve }) {
    // Files that only unused phrases import are left out, because they are declared free of side
    // effects. `pluginData` keeps the call of `resolve` from coming back here.
    onResolve({ filter: /^\.{1,2}\/|^big\.js$/ }, async ({ path, pluginData, ...from }) => {
      if (pluginData === 'resolved') return undefined;
      return { ...(await resolve(path, { ...from, pluginData: 'resolved' })), sideEffects: false };
    });
    onLoad({ filter: /src\/language\/[a-z]{2}\/index\.ts$/ }, async ({ path }) => {
      const lines = (await readFile(path, 'utf8')).split('\n');
      const tableIn = (line) => /^ {2}(\w+): \w+,$/.exec(line)?.[1];
      const tables = lines.map(tableIn);
      const missing = PHRASES.filter((name) => !tables.includes(name));
      if (missing.length > 0) throw new Error(`${path} has no ${missing.join(', ')}.`);

      const isUsed = (line) => {
        const table = tableIn(line);
        return table === undefined || PHRASES.includes(table);
      };
      return { contents: lines.filter(isUsed).join('\n'), loader: 'ts' };
    });
  },
};

/** The page reads zones with the browser: luxon alone would add half to its size. */
const pageZones = (root) => ({
  name: 'page-zones',
  setup({ onResolve }) {
    onResolve({ filter: /\/zones\.ts$/ }, () => ({
      path: join(root, 'src', 'page', 'browser-zones.ts'),
      sideEffects: false,
    }));
  },
});

async function textsIn(folder, pattern) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => pattern.test(name));
  return (await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))).join('\n');
}

function toolsOf({ references, names, defaults, clearing, wraps }, called) {
  const only = (table) =>
    Object.fromEntries(Object.entries(table).filter(([name]) => called.has(name)));
  const clearingOnly = clearing.filter((name) => called.has(name));
  return {
    references,
    names: only(names),
    defaults: only(defaults),
    clearing: clearingOnly,
    wraps: only(wraps),
  };
}

function filesOf({ metafile }) {
  const [{ inputs }] = Object.values(metafile.outputs);
  return Object.keys(inputs).filter((path) => inputs[path].bytesInOutput > 0);
}

async function bundleScript(root, entry, { operations, tools, version }) {
  const source = await textsIn(join(root, 'src', 'page'), /\.tsx?$/);
  const called = operations.filter(({ name }) => source.includes(`'${name}'`));
  const endpoints = Object.fromEntries(
    called.map(({ name, endpoint: { method, path } }) => [name, `${method} ${path}`]),
  );
  const options = {
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    metafile: true,
    format: 'esm',
    platform: 'browser',
    target: ['es2022', 'safari16', 'chrome110', 'firefox115'],
    minify: true,
    plugins: [pageZones(root), pagePhrases],
    // Otherwise a pattern with \p would be written as a call, which stays even if it is not used.
    supported: { 'regexp-unicode-property-escapes': true },
    charset: 'utf8',
    // The classic transform is shorter: it does not put `children` among the attributes.
    tsconfigRaw: {
      compilerOptions: { jsx: 'react', jsxFactory: 'h', jsxFragmentFactory: 'Fragment' },
    },
    inject: ['node_modules/preact/dist/preact.mjs'],
    legalComments: 'none',
    define: {
      ACEQUIA_ENDPOINTS: JSON.stringify(endpoints),
      ACEQUIA_TOOLS: JSON.stringify(toolsOf(tools, new Set(called.map(({ name }) => name)))),
      ACEQUIA_VERSION: JSON.stringify(version),
    },
    logLevel: 'warning',
  };

  const result = await build(options);
  const used = filesOf(result);
  const unexpected = used.filter((path) => !/^(src\/|node_modules\/preact\/|<define:)/.test(path));
  if (unexpected.length > 0) throw new Error(`The page must not contain ${unexpected.join(', ')}.`);

  // This minifier saves 3 % more than the bundler's.
  const { code: script } = await minify(result.outputFiles[0].text, {
    module: true,
    ecma: 2022,
    compress: { passes: 3, pure_getters: true },
    mangle: true,
  });
  // The minifier writes "é" as "\xe9" in templates.
  const compact = script.replace(/\\x([a-f][\da-f])/g, (_, code) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  // Inside HTML the text "</script" would end the script.
  return compact.trim().replaceAll('</script', '<\\/script');
}

const ENTRIES = { 'page.html': 'src/page/main.tsx', 'chat-page.html': 'src/page/host/main.ts' };

/**
 * Also writes page.json: the hashes of script and style for the Content-Security-Policy of the page
 * in browsers, and the hash of the page in chats.
 */
export async function buildPage(root, dist, contents, themeCss) {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'src', 'page', 'page.css')],
    bundle: true,
    write: false,
    minify: true,
    target: ['safari16', 'chrome110', 'firefox115'],
  });
  const style = `${themeCss}${outputFiles[0].text}`.trim();
  const template = await readFile(join(root, 'src', 'page', 'page.html'), 'utf8');

  const described = { style: `sha256-${sha256(style)}`, bytes: {} };
  for (const [name, entry] of Object.entries(ENTRIES)) {
    const script = await bundleScript(root, entry, contents);
    const html = template
      .replace('<!-- style -->', () => `<style>${style}</style>`)
      .replace('<!-- script -->', () => `<script type="module">${script}</script>`);

    const { bytesOf, most, form } = LIMITS[name];
    const bytes = bytesOf(html);
    if (bytes > most)
      throw new Error(`${name} has ${bytes} ${form}bytes; at most ${most} are allowed.`);

    await writeFile(join(dist, name), html);
    described.bytes[name] = Buffer.byteLength(html);
    if (name === 'page.html') described.script = `sha256-${sha256(script)}`;
    else described.hash = createHash('sha256').update(html).digest('hex').slice(0, 16);
  }

  await writeFile(join(dist, 'page.json'), JSON.stringify(described));
  return described;
}

const COLOUR = '#117a95';

/**
 * Systems crop a maskable icon to their own shape, so the drawing is inside a circle of 80 % on a
 * full square.
 */
function squareIcon(drawing) {
  const shapes = drawing.slice(drawing.indexOf('/>') + 2, drawing.lastIndexOf('</svg>'));
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" fill="${COLOUR}"/><g transform="translate(2 2) scale(0.75)">${shapes}</g></svg>`;
}

const ICONS = [
  ['icon-180.png', 180, 'maskable'],
  ['icon-192.png', 192, 'any'],
  ['icon-512.png', 512, 'any'],
  ['icon-maskable-512.png', 512, 'maskable'],
];

const manifest = {
  name: 'Acequia',
  short_name: 'Acequia',
  id: './',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#ffffff',
  theme_color: COLOUR,
  icons: ICONS.filter(([, size]) => size !== 180).map(([src, size, purpose]) => ({
    src,
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  })),
};

/**
 * Builds dist/page/: what a browser needs besides the page to install it and to show it offline.
 */
export async function buildPageFiles(root, dist) {
  const folder = join(dist, 'page');
  await mkdir(folder);
  const drawing = await readFile(join(root, 'docs', 'icon.svg'), 'utf8');
  for (const [name, size, kind] of ICONS) {
    const picture = new Resvg(kind === 'maskable' ? squareIcon(drawing) : drawing, {
      fitTo: { mode: 'width', value: size },
    });
    await writeFile(join(folder, name), picture.render().asPng());
  }
  await writeFile(join(folder, 'manifest.webmanifest'), JSON.stringify(manifest));
  await copyFile(join(root, 'docs', 'icon.svg'), join(folder, 'icon.svg'));
  await copyFile(join(root, 'src', 'http', 'page', 'service-worker.js'), join(folder, 'sw.js'));
}
