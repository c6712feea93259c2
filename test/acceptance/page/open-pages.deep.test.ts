import { describe, expect, it } from 'vitest';
import { BROWSER } from '../browser.ts';
import { expectShown, listenTo, openFarms } from './open-farm.ts';

describe.skipIf(!BROWSER)('open pages', () => {
  const newFarm = openFarms();

  it('in two tabs of one browser read the whole farm once in 15 s, however often it changes', async () => {
    const farm = await newFarm();
    const { page: first } = await farm.open();
    const second = await first.context().newPage();
    await second.goto(first.url());
    await second.locator('.card').first().waitFor();
    const openedAt = performance.now();
    const reads = [listenTo(first), listenTo(second)];
    const wholeReads = () => reads.flatMap(({ farm: each }) => each).filter((each) => each === '');

    for (let n = 0; performance.now() - openedAt < 14_000; n++) {
      await farm.changeParcel(`fig ${n}`);
      await first.waitForTimeout(500);
    }
    expect(wholeReads()).toEqual([]);
    await farm.changeParcel('walnut');
    for (const page of [first, second]) await expectShown(page, 'walnut');
    expect(wholeReads()).toEqual(['']);
  }, 90_000);
});
