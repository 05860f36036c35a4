/** The nodes of a `KeywordAutomaton`: a tree of literals, linked (Aho-Corasick). */
import type { JointedLiteral } from './keyword-joints.ts'

/** A literal to find, and the number that a hit is reported with. */
export interface Literal {
  readonly text: string
  readonly owner: number
  /** Hits must start and end at word borders. */
  readonly wholeWords: boolean
}

interface End {
  readonly literal: Literal
  readonly length: number
  /** The folded literal if it has joints. */
  readonly jointed: JointedLiteral | undefined
}

export interface Node {
  /** Children by class of character. */
  readonly next: Map<number, Node>
  readonly depth: number
  readonly ends: End[]
  /** Length of the longest row that a literal ends with here. */
  trailing: number
  /** A literal below it may start within a word. */
  isLoose: boolean
  /** The node of the longest proper suffix. */
  fail: Node
  /** The nearest node at which literals end, itself included; the root if none. */
  nearestEnd: Node
  /** Breadth first; the root is 0. */
  id: number
}

export function newNode(depth: number): Node {
  const node: Partial<Node> = { next: new Map(), depth, ends: [], trailing: 0, isLoose: false, id: 0 }
  node.fail = node as Node
  node.nearestEnd = node as Node
  return node as Node
}

export function insert(root: Node, classes: readonly number[], end: End): void {
  let node = root
  for (const kind of classes) {
    node.isLoose ||= !end.literal.wholeWords
    const child = node.next.get(kind) ?? newNode(node.depth + 1)
    node.next.set(kind, child)
    node = child
  }
  node.ends.push(end)
  const { jointed } = end
  if (jointed === undefined) return
  // Every further joint makes another one of a literal that is one row.
  const trailing = jointed.isOneRow && jointed.leading > 1 ? Number.POSITIVE_INFINITY : jointed.trailing
  node.trailing = Math.max(node.trailing, trailing)
  if (trailing > 0) node.isLoose ||= !end.literal.wholeWords
}

/** Breadth first, so that a parent's links are known before its children's; returns the nodes in that order. */
export function link(root: Node): Node[] {
  const nodes = [root]
  for (const node of nodes) {
    for (const [kind, child] of node.next) {
      let { fail } = node
      while (fail !== root && !fail.next.has(kind)) fail = fail.fail
      const found = fail.next.get(kind)
      child.fail = found === undefined || found === child ? root : found
      child.nearestEnd = child.ends.length > 0 ? child : child.fail.nearestEnd
      child.id = nodes.push(child) - 1
    }
  }
  return nodes
}

/** A missing child is the one of the node's suffix, whose row is complete already. */
export function tableOf(nodes: readonly Node[], classes: number): Int32Array {
  const table = new Int32Array(nodes.length * classes)
  for (const { id, next, fail } of nodes) {
    const row = id * classes
    if (id > 0) table.copyWithin(row, fail.id * classes, (fail.id + 1) * classes)
    for (const [kind, child] of next) table[row + kind] = child.id
  }
  return table
}
