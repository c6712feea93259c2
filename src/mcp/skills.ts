// Source: the extension io.modelcontextprotocol/skills (SEP-2640). A skill is static, so its entry
// is rendered by the build.
import { readFile } from 'node:fs/promises';
// Version 4 of zod, because the SDK takes its schemas and has loaded it anyway.
import { object, string } from 'zod/v4';
import { quote } from '../domain/strings.ts';
import {
  type CacheHint,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  ResourceNotFoundError,
  type ResourceTemplateType,
  type Server,
  type Skill,
} from './protocol.ts';

export const SKILLS_EXTENSION = 'io.modelcontextprotocol/skills';

/** The build copies the files below it to dist/skills. */
const SKILL_ROOT = 'skill://acequia/';

/** Listed only if all of these tools are offered. */
export interface NeedsTools {
  readonly needs: readonly string[];
}

export type CatalogSkill = Skill & NeedsTools;

interface SkillOptions {
  readonly cacheHint: CacheHint | undefined;
  readonly allowedSkills: () => Promise<readonly CatalogSkill[]>;
}

export const isSkillUri = (uri: string): boolean => uri.startsWith('skill:');

export function serveSkills(server: Server, { cacheHint, allowedSkills }: SkillOptions) {
  server.setRequestHandler('skills/list', { params: object({}) }, async () => ({
    skills: (await allowedSkills()).map(withoutNeeds),
    ...cacheHint,
  }));
  server.setRequestHandler('skills/get', { params: object({ uri: string() }) }, async ({ uri }) => {
    const skills = await allowedSkills();
    const skill = skills.find((each) => each.uri === uri);
    if (skill === undefined)
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, unknownSkill(uri, skills));
    return { skill: withoutNeeds(skill), ...cacheHint };
  });

  async function read(uri: string): Promise<ReadResourceResult> {
    const skills = await allowedSkills();
    if (!skills.some((skill) => filesOf(skill).includes(uri)))
      throw new ResourceNotFoundError(uri, unknownSkill(uri, skills));
    const file = new URL(`./skills/${uri.slice(SKILL_ROOT.length)}`, import.meta.url);
    return {
      contents: [{ uri, mimeType: 'text/markdown', text: await readFile(file, 'utf8') }],
      ...cacheHint,
    };
  }

  return { read };
}

const withoutNeeds = ({ needs: _, ...skill }: CatalogSkill) => skill;

const filesOf = ({ resources }: CatalogSkill): string[] =>
  Array.isArray(resources) ? resources.map(({ uri }) => uri) : [];

const unknownSkill = (uri: string, skills: readonly CatalogSkill[]): string =>
  `There is no skill ${quote(uri)}. These are served: ${skills.map((skill) => skill.uri).join(', ')}.`;

/**
 * Clients without the extension find the skills by one template: some put every listed resource
 * into each conversation, where seven descriptions would cost some 400 tokens.
 */
export const skillTemplate = (skills: readonly CatalogSkill[]): ResourceTemplateType => ({
  uriTemplate: `${SKILL_ROOT}{skill}/SKILL.md`,
  name: 'skills',
  title: 'Skills',
  description: `How to carry out a task with a person, step by step; skill is one of ${skills.map(({ frontmatter }) => frontmatter.name).join(', ')}.`,
  mimeType: 'text/markdown',
});
