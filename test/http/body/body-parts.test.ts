import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BodyParts } from '../../../src/http/body/body-parts.ts';

it('the parts of a body make the whole, whatever their sizes', () => {
  const parts = fc.array(fc.uint8Array({ maxLength: 3_000 }).map(Buffer.from), { maxLength: 40 });
  fc.assert(
    fc.property(parts, (sent) => {
      const body = new BodyParts();
      for (const part of sent) body.add(part);
      expect(body.toBuffer().equals(Buffer.concat(sent))).toBe(true);
    }),
  );
});
