/** A set that removes its oldest member when it is full. */
export class BoundedSet<T> {
  private readonly members = new Set<T>();

  constructor(private readonly capacity: number) {}

  has(member: T): boolean {
    return this.members.has(member);
  }

  add(member: T): void {
    const [oldest] = this.members;
    if (this.members.size >= this.capacity && oldest !== undefined) this.members.delete(oldest);
    this.members.add(member);
  }
}
