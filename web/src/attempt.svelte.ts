/** Something that the user asked for: whether it is being done, and why it failed. */
export class Attempt {
  isBusy = $state(false);
  /** Why the last attempt failed; null: it did not. */
  problem = $state.raw<unknown>(null);

  async run(work: () => Promise<unknown>): Promise<void> {
    this.isBusy = true;
    this.problem = null;
    try {
      await work();
    } catch (e) {
      this.problem = e;
    } finally {
      this.isBusy = false;
    }
  }
}
