//! Graphs by number: their strongly connected components and the edges that close cycles. Nothing recurses, since an
//! author may write chains of any length.

/// For each node the nodes that it leads to.
pub type Edges = Vec<Vec<u32>>;

/// For each node whether it can reach itself, and the number of the component that holds it.
pub struct Components {
    /// By node.
    pub of: Vec<u32>,
    /// By node.
    pub cyclic: Vec<bool>,
}

/// The strongly connected components of a graph (Tarjan's algorithm).
pub fn components(edges: &Edges) -> Components {
    const NEW: u32 = u32::MAX;
    let count = edges.len();
    let mut found = Components { of: vec![NEW; count], cyclic: vec![false; count] };
    let mut order = vec![NEW; count];
    let mut low = vec![0; count];
    let (mut open, mut next, mut component) = (Vec::new(), 0, 0);
    for root in 0..count {
        if order[root] != NEW {
            continue;
        }
        let mut path = vec![(root, 0)];
        while let Some((node, edge)) = path.last_mut() {
            let node = *node;
            if *edge == 0 {
                (order[node], low[node]) = (next, next);
                next += 1;
                open.push(node);
            }
            if let Some(to) = edges[node].get(*edge).map(|to| *to as usize) {
                *edge += 1;
                found.cyclic[node] |= to == node;
                if order[to] == NEW {
                    path.push((to, 0));
                } else if found.of[to] == NEW {
                    low[node] = low[node].min(order[to]);
                }
                continue;
            }
            path.pop();
            if let Some((above, _)) = path.last() {
                low[*above] = low[*above].min(low[node]);
            }
            if low[node] == order[node] {
                close(&mut found, &mut open, node, component);
                component += 1;
            }
        }
    }
    found
}

/// Takes the component that `root` has opened.
fn close(found: &mut Components, open: &mut Vec<usize>, root: usize, component: u32) {
    let start = open.iter().rposition(|node| *node == root).unwrap_or(0);
    let several = open.len() - start > 1;
    for node in open.drain(start..) {
        found.of[node] = component;
        found.cyclic[node] |= several;
    }
}

/// An edge without which one cycle less would be there.
#[derive(Debug, PartialEq, Eq)]
pub struct Closing {
    /// The nodes of the cycle, from the one that the edge leads to up to the one that it starts from.
    pub cycle: Vec<u32>,
    /// Which of the last node's edges it is.
    pub edge: usize,
}

/// The edges that close cycles, in the order of a walk from the first node: without them, none would be left.
pub fn closing_edges(edges: &Edges) -> Vec<Closing> {
    #[derive(Clone, Copy, PartialEq, Eq)]
    enum State {
        New,
        Open,
        Done,
    }
    let mut states = vec![State::New; edges.len()];
    let mut found = Vec::new();
    for root in 0..edges.len() {
        if states[root] != State::New {
            continue;
        }
        let mut path = vec![(root, 0)];
        states[root] = State::Open;
        while let Some((node, edge)) = path.last_mut() {
            let Some(to) = edges[*node].get(*edge).map(|to| *to as usize) else {
                states[*node] = State::Done;
                path.pop();
                continue;
            };
            let edge_index = *edge;
            *edge += 1;
            match states[to] {
                State::Done => {}
                State::New => {
                    states[to] = State::Open;
                    path.push((to, 0));
                }
                State::Open => {
                    let start = path.iter().rposition(|(node, _)| *node == to).unwrap_or(0);
                    let cycle = path[start..].iter().filter_map(|(node, _)| u32::try_from(*node).ok());
                    found.push(Closing { cycle: cycle.collect(), edge: edge_index });
                }
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{Closing, closing_edges, components};

    #[test]
    fn components_hold_what_reaches_each_other() {
        let found = components(&vec![vec![1], vec![2, 3], vec![0], vec![3], vec![0]]);
        assert_eq!(found.of, [1, 1, 1, 0, 2]);
        assert_eq!(found.cyclic, [true, true, true, true, false]);
    }

    #[test]
    fn each_closing_edge_is_one_cycle() {
        let found = closing_edges(&vec![vec![1, 0], vec![2], vec![0, 1]]);
        assert_eq!(
            found,
            [
                Closing { cycle: vec![0, 1, 2], edge: 0 },
                Closing { cycle: vec![1, 2], edge: 1 },
                Closing { cycle: vec![0], edge: 1 },
            ]
        );
    }

    #[test]
    fn long_chains_end() {
        let edges: Vec<_> = (1..=200_000).map(|to| vec![to % 200_000]).collect();
        assert_eq!(closing_edges(&edges).len(), 1);
        assert!(components(&edges).cyclic[7]);
    }
}
