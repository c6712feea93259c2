import { expect, it } from 'vitest';
import { formatDiff } from '../../../src/cli/connect/change-preview.ts';

it('shows removed and added lines with two lines of context', () => {
  const before = ['{', '  "a": 1,', '  "b": 2,', '  "c": 3,', '  "d": 4', '}'];
  const after = before.with(2, '  "b": 5,');
  expect(formatDiff(before.join('\n'), after.join('\n'))).toBe(
    '  {\n    "a": 1,\n-   "b": 2,\n+   "b": 5,\n    "c": 3,\n    "d": 4\n',
  );
});

it('shows two separate changes with the unchanged lines between them', () => {
  expect(formatDiff('a\nb\nc\nd', 'a\nx\nc\ny\nd')).toBe('  a\n- b\n+ x\n  c\n+ y\n  d\n');
});

it('shows only the member names of surrounding lines', () => {
  const before = '"token": "s3cret",\n"args": ["s3cret", "x"],\nkey = \'s3cret\'\n';
  const preview = formatDiff(before, `${before}"new": "shown"\n`);
  expect(preview).toBe('  "args": ["…", "…"],\n  key = "…"\n+ "new": "shown"\n');
});

it.each([
  ['"ACEQUIA_API_KEY": "acequia_0123456789abcdefghij"', '"ACEQUIA_API_KEY": "…"'],
  ['"GITHUB_TOKEN" = "s3cret"', '"GITHUB_TOKEN" = "…"'],
  ["password = 's3cret'", "password = '…'"],
  ['"args": ["--key", "acequia_0123456789abcdefghij"]', '"args": ["--key", "acequia_…"]'],
  [
    '"--db", "postgres://ana:s3cret@db.example.org/farm"',
    '"--db", "postgres://…@db.example.org/farm"',
  ],
  ['"ACEQUIA_API_KEY": "$ACEQUIA_API_KEY"', '"ACEQUIA_API_KEY": "$ACEQUIA_API_KEY"'],
])('writes %s as %s', (line, shown) => {
  expect(formatDiff('', line)).toBe(`+ ${shown}\n`);
  expect(formatDiff(line, '')).toBe(`- ${shown}\n`);
});
