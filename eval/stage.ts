import { join } from 'node:path';
import type { Prompt } from './assistant.ts';
import { copyFarm, type Farm } from './farm.ts';
import {
  callAll,
  McpServer,
  type ServerOptions,
  type ToolAnswer,
  type ToolServer,
} from './mcp-server.ts';
import { type FarmState, readState } from './state.ts';
import type { Story } from './story.ts';

export interface StageOptions {
  /** Holds the story's copy of the farm. */
  readonly folder: string;
  /** Options of the server, such as --toolsets. */
  readonly options?: readonly string[];
  readonly hasLostAnswer?: boolean;
  /** Default: the built program in its own process. */
  readonly startServer?: (server: ServerOptions) => ToolServer;
}

/** A story on its own copy of the farm, at its clock. */
export class StoryStage {
  /** True once the answer that the story loses has been lost. */
  hasLostAnswer: boolean;
  private readonly story: Story;
  private readonly place: { readonly db: string; readonly clock: string; readonly zone: string };
  private readonly server: ToolServer;

  private constructor(story: Story, farm: Farm, stage: StageOptions) {
    const options = [...(stage.options ?? []), ...story.server];
    const key = story.as === undefined ? undefined : farm.keys[story.as];
    this.story = story;
    this.hasLostAnswer = stage.hasLostAnswer ?? false;
    this.place = { ...placeOf(story, farm, stage), zone: farm.zone };
    const server = { ...this.place, options, key };
    this.server = stage.startServer?.(server) ?? new McpServer(server);
  }

  static async create(story: Story, farm: Farm, stage: StageOptions): Promise<StoryStage> {
    const { db, clock } = placeOf(story, farm, stage);
    await copyFarm(farm, db);
    if (story.before.length > 0) await callAll({ db, clock }, story.before);
    return StoryStage.reopen(story, farm, stage);
  }

  static reopen(story: Story, farm: Farm, stage: StageOptions): StoryStage {
    return new StoryStage(story, farm, stage);
  }

  readState(): Promise<FarmState> {
    return readState(this.place.db, this.place.clock);
  }

  /** What a client gives a model: the instructions of the server, its tools, and the day. */
  async prompt(): Promise<Omit<Prompt, 'messages'>> {
    const { instructions, tools } = await this.server.describe();
    const day = new Date(this.place.clock).toLocaleDateString('en-GB', {
      dateStyle: 'full',
      timeZone: this.place.zone,
    });
    return { system: `${instructions}\n\nToday is ${day}.`, tools };
  }

  async call(name: string, args: Readonly<Record<string, unknown>>): Promise<ToolAnswer> {
    const answer = await this.server.call(name, args);
    if (!this.story.losesAnswer || this.hasLostAnswer || !answer.isWrite) return answer;
    this.hasLostAnswer = true;
    return {
      text: 'The connection was lost before the answer arrived.',
      isError: true,
      isWrite: false,
      body: null,
    };
  }

  close(): Promise<void> {
    return this.server.close();
  }
}

const placeOf = (
  story: Story,
  farm: Farm,
  { folder }: StageOptions,
): { db: string; clock: string } => ({
  db: join(folder, `${story.id}.db`),
  clock: story.clock ?? farm.clock,
});
