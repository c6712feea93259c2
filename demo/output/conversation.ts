import type { WateringAnswer, WateringBody } from '../../src/schema/irrigation/watering.ts';
import { localTime } from '../farm/calendar.ts';
import { doseByHand, type HandCalculation } from '../hand-calculations/doses-and-needs.ts';
import type { DemoClient, DemoToolResult } from '../servers/mcp-client.ts';
import { transcript } from './transcript.ts';

export class DemoError extends Error {}

/** Ends the demo with an error unless the claim is true. */
export function expectThat(isTrue: boolean, claim: string): void {
  if (!isTrue) throw new DemoError(`this is not true: ${claim}`);
}

interface SummarizedAnswer {
  readonly isReplay: boolean;
  readonly summaryText: string;
}

export class DemoConversation {
  readonly #client: DemoClient;
  readonly #names = new Map<number, string>();

  constructor(client: DemoClient) {
    this.#client = client;
  }

  learnNames(modules: readonly { id: number; name: string | null }[]): void {
    for (const { id, name } of modules) this.#names.set(id, name ?? `#${id}`);
  }

  async ask<Result>(
    tool: string,
    args: Record<string, unknown>,
  ): Promise<Result & SummarizedAnswer> {
    const { result, summary, isReplay } = await this.#call(tool, args);
    expectThat(result !== null, `${tool} answers; it said: ${summary}`);
    transcript.answers(summary);
    return { ...(result as Result), isReplay, summaryText: summary };
  }

  async askPicture(
    tool: string,
    args: Record<string, unknown>,
  ): Promise<{ picture: Uint8Array; summary: string }> {
    const { picture, summary } = await this.#call(tool, args);
    expectThat(picture !== null, `${tool} draws; it said: ${summary}`);
    transcript.answers(summary);
    return { picture: picture!, summary };
  }

  async lookUp<Result>(tool: string, args: Record<string, unknown>): Promise<Result> {
    const { result, summary } = await this.#client.call(tool, args);
    expectThat(result !== null, `${tool} answers; it said: ${summary}`);
    return result as Result;
  }

  async listAll(scheduleId: number): Promise<WateringBody[]> {
    // More than 25 would be too long for an answer.
    const firstPage = { scheduleId, from: '2000-01-01', detail: 'full', limit: 25 };
    const waterings: WateringBody[] = [];
    for (let cursor: unknown; cursor !== null; ) {
      const ofPage = cursor === undefined ? firstPage : { ...firstPage, cursor };
      const { result, summary } = await this.#client.call('list_waterings', ofPage);
      expectThat(result !== null, `list_waterings answers; it said: ${summary}`);
      waterings.push(...(result!.data as WateringBody[]));
      cursor = result!.next_cursor ?? null;
    }
    return waterings.sort((a, b) => Date.parse(a.startedAt) - Date.parse(b.startedAt));
  }

  async askExpectingRefusal(tool: string, args: Record<string, unknown>): Promise<string> {
    const { refusal, summary } = await this.#call(tool, args);
    expectThat(refusal !== null, `${tool} refuses; it said: ${summary}`);
    transcript.refuses(summary);
    return refusal!.code;
  }

  async askDose(
    tool: string,
    args: Record<string, unknown>,
  ): Promise<WateringAnswer & SummarizedAnswer> {
    const answer = await this.ask<WateringAnswer>(tool, { ...args, detail: 'full' });
    const { id, waterMm, waterMmWetted, configSnapshot } = answer.event;
    expectThat(configSnapshot !== null, 'a dose is stored with its inputs');
    const { installationId, scope, system, flowMmPerH, fractionWetted, fractionWettedIsDefault } =
      configSnapshot!;
    transcript.figures([
      `watering ${id}: waterMm ${waterMm}, waterMmWetted ${waterMmWetted}`,
      `frozen with version ${installationId} (${scope}): ${system}, flowMmPerH ${flowMmPerH}, fractionWetted ${fractionWetted}${fractionWettedIsDefault ? ' (default)' : ''}`,
    ]);
    this.showByHand(doseByHand(answer.event));
    return answer;
  }

  showByHand({ lines, agrees }: HandCalculation, before: readonly string[] = []): void {
    transcript.byHand([...before, ...lines]);
    expectThat(lines.length > 0 && agrees, 'the calculation by hand agrees with the answer');
  }

  showTable(waterings: readonly WateringBody[], shownCount = waterings.length): void {
    const rows = waterings
      .slice(0, shownCount)
      .map((event) => [
        String(event.id),
        this.#names.get(event.moduleId) ?? `#${event.moduleId}`,
        localTime(Date.parse(event.startedAt)),
        ...[
          event.durationMin,
          event.configSnapshot?.flowMmPerH,
          event.configSnapshot?.fractionWetted,
          event.waterMm,
          event.waterMmWetted,
        ].map((figure) => String(figure ?? '')),
        event.status,
      ]);
    transcript.table([
      ['id', 'probe', 'start (local)', 'min', 'mm/h', 'fw', 'mm', 'wetted', 'status'],
      ...rows,
    ]);
    const isRight = (event: WateringBody): boolean =>
      event.waterMm !== null && doseByHand(event).agrees;
    expectThat(waterings.every(isRight), 'every dose is what the calculation by hand gives');
    const shownNote =
      shownCount < waterings.length ? `, of which the newest ${shownCount} are shown` : '';
    transcript.checked(
      `all ${waterings.length}${shownNote}: mm/h x min / 60 = mm, and mm/h x min / 60 / fw = wetted.`,
    );
  }

  #call(tool: string, args: Record<string, unknown>): Promise<DemoToolResult> {
    transcript.calls(tool, args);
    return this.#client.call(tool, args);
  }
}
