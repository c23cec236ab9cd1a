// An item's place in the page.

/** Shows one item. It is made once and brought up to date. */
export interface ItemView<T> {
  readonly element: HTMLElement;
  /** Shows a new state. */
  update(item: T): void;
  /** Adds text at the end, where the item grows. */
  append?(text: string): void;
  /** Takes in what a subagent of this call does. */
  adopt?(child: HTMLElement): void;
  /** The item comes near to what is seen. */
  wake?(): void;
}
