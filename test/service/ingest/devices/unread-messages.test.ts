import { describe, expect } from 'vitest';
import type { ListedUnread } from '../../../../src/schema/ingest/device.ts';
import { unreadMessagesOfAll } from '../../../../src/store/ingest/unread-messages.ts';
import { advisoriesOf, iso, it, type TestFarm } from '../../../farm.ts';

const REFUSED = 'a value was refused: no time';

const list = (farm: TestFarm) => farm.tool<{ unread: readonly ListedUnread[] }>('list_devices');

const storeRow = (farm: TestFarm, sender: string, reason: string) =>
  farm.write((db) =>
    db
      .insertInto('unread_messages')
      .values({ sender, received_at: farm.now, via: null, reason, payload: null })
      .execute(),
  );

describe('the reason of an unread message', () => {
  it('comes with a code, or as the text alone, and is listed as a text', async ({ farm }) => {
    await farm.wire('ingest', {
      unread: [
        { sender: 'A', reason: { code: 'value_refused', text: REFUSED } },
        { sender: 'B', reason: { code: 'of_a_later_version', text: 'it is frozen' } },
        { sender: 'C', reason: REFUSED },
        { sender: 'D', reason: { code: 'value_refused' } },
      ],
    });
    const listed = await list(farm);
    expect(listed.unread.map(({ sender, reason }) => [sender, reason])).toEqual([
      ['A', REFUSED],
      ['B', 'it is frozen'],
      ['C', REFUSED],
    ]);
    expect(advisoriesOf(listed, 'messages_read_in_part')).toMatchObject([{ positions: [0, 2] }]);
  });

  it('says whether other values of the message were read', async ({ farm }) => {
    const reading = (device: string, depth: number, value: number) => ({
      device,
      type: 'humidity',
      depth,
      value,
      time: iso(farm.now),
    });
    await farm.wire('ingest', {
      readings: [reading('A', 30, 250), reading('B', 30, 250), reading('B', 60, 25)],
    });
    const listed = await list(farm);
    expect(listed.unread.map(({ sender, reason }) => [sender, reason])).toEqual([
      ['A', expect.stringMatching(/^no value is valid: /)],
      ['B', expect.stringMatching(/^a value was refused: /)],
    ]);
    expect(advisoriesOf(listed, 'messages_read_in_part')).toMatchObject([{ positions: [1] }]);
  });

  it('is read of stores of earlier versions, which have the text alone', async ({ farm }) => {
    await storeRow(farm, 'A', 'the payload is not JSON');
    await storeRow(farm, 'B', REFUSED);
    const listed = await list(farm);
    expect(listed.unread.map(({ reason }) => reason)).toEqual(['the payload is not JSON', REFUSED]);
    expect(advisoriesOf(listed, 'messages_read_in_part')).toMatchObject([{ positions: [1] }]);

    const ofAll = await farm.store.readAll((all) => unreadMessagesOfAll(all, farm.now));
    expect(ofAll.map(({ reason }) => reason.code).sort()).toEqual(['other', 'value_refused']);
  });

  it('says in the morning brief whether the newest message was read in part', async ({ farm }) => {
    await storeRow(farm, 'A', 'the payload is not JSON');
    const advice = async () => advisoriesOf(await farm.tool('morning_brief'), 'unread_messages');
    expect(await advice()).toMatchObject([{ sender: 'A', isReadInPart: false, others: 0 }]);

    farm.now += 1;
    const reason = { code: 'value_refused', text: REFUSED };
    await farm.wire('ingest', { unread: [{ sender: 'B', reason }] });
    expect(await advice()).toMatchObject([
      { sender: 'B', reason: REFUSED, isReadInPart: true, others: 1 },
    ]);
  });
});
