import { type ComponentChild, render } from 'preact';
import { afterFile } from '../cleanup.ts';

/** The part of a DOM that Preact needs to render. Events and styles are ignored. */
class TextNode {
  readonly style = { setProperty: ignore };
  readonly childNodes: TextNode[] = [];
  parentNode: TextNode | null = null;
  readonly namespaceURI: string | null;
  /** The characters of a text; empty for an element. */
  data: string;

  constructor(data: string, namespaceURI: string | null = null) {
    this.data = data;
    this.namespaceURI = namespaceURI;
  }

  get firstChild(): TextNode | null {
    return this.childNodes[0] ?? null;
  }

  get nextSibling(): TextNode | null {
    const siblings = this.parentNode?.childNodes ?? [];
    return siblings[siblings.indexOf(this) + 1] ?? null;
  }

  insertBefore(child: TextNode, next: TextNode | null): void {
    child.remove();
    const index = next === null ? -1 : this.childNodes.indexOf(next);
    this.childNodes.splice(index < 0 ? this.childNodes.length : index, 0, child);
    child.parentNode = this;
  }

  remove(): void {
    const siblings = this.parentNode?.childNodes ?? [];
    if (siblings.includes(this)) siblings.splice(siblings.indexOf(this), 1);
    this.parentNode = null;
  }

  contains(other: TextNode): boolean {
    return other === this || this.childNodes.some((child) => child.contains(other));
  }

  focus(): void {}
  setAttribute(): void {}
  removeAttribute(): void {}
  addEventListener(): void {}
  removeEventListener(): void {}

  text(): string {
    return [this.data, ...this.childNodes.map((child) => child.text())].join(' ');
  }
}

function ignore(): void {}

const fakeDocument = {
  createElement: () => new TextNode(''),
  createElementNS: (namespace: string) => new TextNode('', namespace),
  createTextNode: (data: string) => new TextNode(data),
};

/** The texts of what is rendered, in order; it changes while components load. */
export function renderText(component: ComponentChild): () => string {
  Object.assign(globalThis, { document: fakeDocument, scrollTo: ignore });
  const root = new TextNode('');
  render(component, root as never);
  afterFile(() => render(null, root as never));
  return () => root.text().replace(/\s+/g, ' ').trim();
}
