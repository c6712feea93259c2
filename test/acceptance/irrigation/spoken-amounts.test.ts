import { describe, expect, it } from 'vitest';
import { bodyOf, refusalOf, sharedSession } from '../program.ts';

const started = { module: 'North 1', startedAt: 'today 6:00', inputMode: 'duration' };

describe('an amount passed on as it was said', () => {
  const { call } = sharedSession();

  // North 1 drips 3.2 mm/h.
  it.each([
    ['45 min', { ...started, durationMin: '45 min' }, { durationMin: 45, waterMm: 2.4 }],
    ['1h20', { ...started, durationMin: '1h20' }, { durationMin: 80, waterMm: 4.267 }],
    ['three quarters of an hour', { ...started, durationMin: 'three quarters of an hour' }, { durationMin: 45 }],
    ['une heure et quart', { ...started, durationMin: 'une heure et quart' }, { durationMin: 75, waterMm: 4 }],
    ['1,2 cm', { ...started, inputMode: 'depth_mm', inputDepthMm: '1,2 cm' }, { inputDepthMm: 12, waterMm: 12 }],
    ['3 000 litres', { ...started, inputMode: 'volume_m3', inputVolumeM3: '3 000 litres' }, { inputVolumeM3: 3 }],
  ])('is understood: %s', async (_, args, read) => {
    expect(bodyOf(await call('log_watering', args)).event).toMatchObject(read);
  });

  it.each([
    [
      'a rough figure',
      { ...started, durationMin: 'about an hour' },
      'INVALID_DURATION',
      /ask whether exactly 60 minutes/,
    ],
    ['no figure', { ...started, durationMin: 'a while' }, 'INVALID_DURATION', /ask for a time in minutes or hours/],
    ['another unit', { ...started, durationMin: '12 mm' }, 'INVALID_DURATION', /a depth of water in mm, and a time/],
    [
      'a separator of thousands or decimals',
      { ...started, inputMode: 'volume_m3', inputVolumeM3: '3,000 litres' },
      'INVALID_VOLUME',
      /could be 3000 or 3: ask which/,
    ],
  ])('is refused with what to ask: %s', async (_, args, code, why) => {
    const refusal = refusalOf(await call('log_watering', args));
    expect(refusal.code).toBe(code);
    expect(refusal.message).toMatch(why);
  });
});
