// Builds dist/: the bundled program and the files rendered from the operations.
import { copyFile, cp, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { writePluginSkills } from './plugin-skills.mjs';
import { writeBundled } from './release/bill-of-materials.mjs';
import { identityOf } from './release/identity.mjs';
import { ensureInstalled, root } from './repository.mjs';
import { joinFiles, unusedSdkParts } from './short-start.mjs';

await ensureInstalled();
const { build } = await import('esbuild');
const { buildPage, buildPageFiles } = await import('./page.mjs');

/** Becomes dist/ in the end, so that assistants can start Acequia meanwhile. */
const dist = join(root, 'build', 'dist');
const packageJson = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'));
const { version, dependencies } = packageJson;

/** ESM bundles of CommonJS packages look for `require`. */
const banner =
  "import { createRequire as acequiaRequire } from 'node:module'; const require = acequiaRequire(import.meta.url);";

/** The ESM build, because a bundler cannot follow how the CommonJS build loads its modules. */
const jsoncParser = join(root, 'node_modules', 'jsonc-parser', 'lib', 'esm', 'main.js');

async function copyFont() {
  const fonts = dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json'));
  await copyFile(
    join(fonts, 'ttf', 'DejaVuSansCondensed.ttf'),
    join(dist, 'DejaVuSansCondensed.ttf'),
  );
  await copyFile(join(fonts, 'LICENSE'), join(dist, 'DejaVuSansCondensed.LICENSE.txt'));
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.18',
  format: 'esm',
  // pg-native is an optional replacement of pg's own code.
  external: [...Object.keys(dependencies), 'pg-native'],
  alias: { 'jsonc-parser': jsoncParser },
  define: { ACEQUIA_VERSION: JSON.stringify(version) },
  logLevel: 'warning',
};

const prompts = join(root, 'prompts');

const writeServerIdentity = () =>
  writeFile(join(dist, 'server-identity.json'), JSON.stringify(identityOf(packageJson)));

/**
 * Data URLs, because clients should load an icon only from the server's own origin. Every client
 * can show a PNG.
 */
async function icons() {
  const inline = async (name, mimeType, size) => {
    const content = await readFile(join(root, 'docs', name), 'base64');
    return { src: `data:${mimeType};base64,${content}`, mimeType, sizes: [size] };
  };
  return [
    await inline('icon.svg', 'image/svg+xml', 'any'),
    await inline('icon-48.png', 'image/png', '48x48'),
  ];
}

/** Renders the catalog and the schemas at build time, to keep the start of the program short. */
async function render() {
  const file = join(dist, 'render.tmp.mjs');
  await build({
    ...shared,
    stdin: {
      contents: `export { openApiDocument } from './src/http/openapi/document.ts';
export { readExampleStories } from './src/http/openapi/examples.ts';
export { pageTools } from './src/mcp/page-tools.ts';
export { renderCatalog } from './src/mcp/render-catalog.ts';
export { jsonSchema } from './src/operation/schemas/json-schema.ts';
export { operations } from './tools/index.ts';
export { themeCss } from './src/chart/theme.ts';
export { farmFile } from './src/schema/farm/farm-file.ts';
export { FARM_FILE_EXAMPLES } from './src/schema/farm/farm-examples.ts';`,
      resolveDir: root,
      loader: 'ts',
    },
    outfile: file,
    banner: { js: banner },
  });

  const rendered = await import(`${pathToFileURL(file)}?${Date.now()}`);
  const {
    openApiDocument,
    readExampleStories,
    renderCatalog,
    jsonSchema,
    operations,
    farmFile,
    FARM_FILE_EXAMPLES,
  } = rendered;
  await rm(file);

  const { hash } = await buildPage(
    root,
    dist,
    { operations, tools: rendered.pageTools(), version },
    rendered.themeCss(),
  );

  const catalog = { ...(await renderCatalog(prompts, version, hash)), icons: await icons() };
  await writeFile(join(dist, 'catalog.json'), JSON.stringify(catalog));
  await cp(prompts, join(dist, 'skills'), { recursive: true });
  await writePluginSkills(root);

  const described = operations.map(({ name, toolset, tool, endpoint, scope, effect }) => ({
    name,
    toolset,
    inDailyToolset: tool?.inDailyToolset,
    endpoint,
    scope,
    effect,
  }));
  await writeFile(join(dist, 'operations.json'), JSON.stringify(described));

  await writeFile(
    join(dist, 'farm.schema.json'),
    `${JSON.stringify({ ...jsonSchema(farmFile), examples: FARM_FILE_EXAMPLES }, null, 2)}\n`,
  );
  await writeFile(
    join(dist, 'openapi.json'),
    JSON.stringify(
      openApiDocument(operations, await readExampleStories(join(root, 'tools')), version),
    ),
  );
}

const VIEWER = [
  'swagger-ui-bundle.js',
  'swagger-ui-bundle.js.LICENSE.txt',
  'swagger-ui.css',
  'LICENSE',
  'NOTICE',
];

/** Includes the viewer, so that the page loads nothing from other sites. */
async function renderApiPage() {
  await cp(join(root, 'src', 'http', 'api-page'), join(dist, 'api-page'), { recursive: true });
  const viewer = join(root, 'node_modules', 'swagger-ui-dist');
  await Promise.all(
    VIEWER.map((name) => copyFile(join(viewer, name), join(dist, 'api-page', name))),
  );
}

await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await render();
await renderApiPage();
await buildPageFiles(root, dist);
await writeServerIdentity();
await copyFont();

const minified = { minifyWhitespace: true, minifySyntax: true };
const { metafile } = await build({
  ...shared,
  ...minified,
  plugins: [unusedSdkParts],
  entryPoints: {
    acequia: 'src/cli/acequia.ts',
    'backup-worker': 'src/cli/backups/backup-worker.ts',
    'read-worker': 'src/cli/reads/read-worker.ts',
    'stop-thread': 'src/cli/process/stop-thread.ts',
  },
  outdir: dist,
  splitting: true,
  chunkNames: 'chunk-[hash]',
  metafile: true,
  legalComments: 'linked',
  banner: { js: banner },
});

const { platform, target, format, logLevel } = shared;
await joinFiles(
  (options) =>
    build({
      platform,
      target,
      format,
      logLevel,
      bundle: true,
      ...minified,
      legalComments: 'inline',
      ...options,
    }),
  dist,
  metafile,
);
await writeBundled(root, metafile, ['dejavu-fonts-ttf', 'swagger-ui-dist']);

const finished = join(root, 'dist');
const replaced = join(root, 'build', 'replaced-dist');
await rm(replaced, { recursive: true, force: true });
await rename(finished, replaced).catch(() => {});
await rename(dist, finished);
await rm(replaced, { recursive: true, force: true });
