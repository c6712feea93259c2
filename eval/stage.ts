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
import type { Story, ToolCall } from './story.ts';

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
  /** By the member whose key they use. */
  private readonly servers = new Map<string | undefined, ToolServer>();
  private readonly serverOf: (member: string | undefined) => ToolServer;

  private constructor(story: Story, farm: Farm, stage: StageOptions) {
    const options = [...(stage.options ?? []), ...story.server];
    this.story = story;
    this.hasLostAnswer = stage.hasLostAnswer ?? false;
    this.place = { ...placeOf(story, farm, stage), zone: farm.zone };
    this.serverOf = (member) => {
      const key = member === undefined ? undefined : farm.keys[member];
      const server = { ...this.place, options, key };
      return stage.startServer?.(server) ?? new McpServer(server);
    };
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
  async prompt(member: string | undefined): Promise<Omit<Prompt, 'messages'>> {
    const { instructions, tools } = await this.server(member).describe();
    const day = new Date(this.place.clock).toLocaleDateString('en-GB', {
      dateStyle: 'full',
      timeZone: this.place.zone,
    });
    return { system: `${instructions}\n\nToday is ${day}.`, tools };
  }

  async call({ name, args }: ToolCall, member: string | undefined): Promise<ToolAnswer> {
    const answer = await this.server(member).call(name, args);
    if (!this.story.losesAnswer || this.hasLostAnswer || !answer.isWrite) return answer;
    this.hasLostAnswer = true;
    return {
      text: 'The connection was lost before the answer arrived.',
      isError: true,
      isWrite: false,
      body: null,
    };
  }

  async close(): Promise<void> {
    await Promise.all([...this.servers.values()].map((server) => server.close()));
  }

  private server(member: string | undefined): ToolServer {
    const server = this.servers.get(member) ?? this.serverOf(member);
    this.servers.set(member, server);
    return server;
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
