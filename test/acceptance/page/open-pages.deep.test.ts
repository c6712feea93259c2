import { describe, expect, it } from 'vitest';
import { BROWSER } from '../browser.ts';
import { expectShown, listenTo, openFarms } from './open-farm.ts';

describe.skipIf(!BROWSER)('open pages', () => {
  const newFarm = openFarms();

  it('of a farm read the rows of the probe that a message is about, and that of another probe reads nothing', async () => {
    const farm = await newFarm();
    const pages = await Promise.all(Array.from({ length: 4 }, () => farm.open()));
    const { page: ofSouth1 } = await farm.open(`#/probe/${farm.idOf('South 1')}`);
    await ofSouth1.locator('.chart-drawing path').first().waitFor();
    const south1 = listenTo(ofSouth1);
    const reads = pages.map(({ page }) => listenTo(page));

    await farm.send('09:10', 41.1);
    for (const { page } of pages) await expectShown(page, '41.1');
    for (const { all } of reads)
      expect(new Set(all)).toEqual(new Set([`/v1/page${farm.rowsOfNorth1}`]));
    expect(south1.all).toEqual([]);

    // The rows that were left out are read once they are in view.
    await ofSouth1.locator('a.back').click();
    await expectShown(ofSouth1, '41.1');
    expect(south1.farm).toEqual([farm.rowsOfNorth1]);
  }, 60_000);

  it('in two tabs of one browser read once', async () => {
    const farm = await newFarm();
    const { page: first } = await farm.open();
    const second = await first.context().newPage();
    await second.goto(first.url());
    await second.locator('.card').first().waitFor();
    const reads = [listenTo(first), listenTo(second)];

    await farm.send('09:10', 42.2);
    for (const page of [first, second]) await expectShown(page, '42.2');
    expect(reads.flatMap(({ all }) => all)).toEqual([`/v1/page${farm.rowsOfNorth1}`]);
  }, 60_000);

  it('in two tabs of one browser read the whole farm once in 15 s, however often it changes', async () => {
    const farm = await newFarm();
    const { page: first } = await farm.open();
    const second = await first.context().newPage();
    await second.goto(first.url());
    await second.locator('.card').first().waitFor();
    const openedAt = performance.now();
    const reads = [listenTo(first), listenTo(second)];
    const wholeReads = () =>
      reads.flatMap(({ farm: each }) => each).filter((each) => each === '?lang=en');

    for (let n = 0; performance.now() - openedAt < 14_000; n++) {
      await farm.changeParcel(`fig ${n}`);
      await first.waitForTimeout(500);
    }
    expect(wholeReads()).toEqual([]);
    await farm.changeParcel('walnut');
    for (const page of [first, second]) await expectShown(page, 'walnut');
    expect(wholeReads()).toEqual(['?lang=en']);
  }, 90_000);
});
