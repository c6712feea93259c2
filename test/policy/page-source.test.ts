import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';

const folder = fileURLToPath(new URL('../../src/page/', import.meta.url));

/** Names and notes of a farm are anybody's text. */
const TEXT_AS_CODE =
  /\b(eval|Function\(|innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|srcdoc|document\.write|createContextualFragment)/;

it('the live page puts no text into the document as markup or code', async () => {
  const files = (await readdir(folder, { recursive: true })).filter((file) => /\.tsx?$/.test(file));
  expect(files.length).toBeGreaterThan(10);
  const faulty = await Promise.all(
    files.map(async (file) =>
      TEXT_AS_CODE.test(await readFile(join(folder, file), 'utf8')) ? [file] : [],
    ),
  );
  expect(faulty.flat()).toEqual([]);
});
