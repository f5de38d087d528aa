//! Closed loops of a graph: the sets of edges that lie on common cycles.

/// The biconnected components of a graph that have a cycle, each as its edges in increasing order;
/// edges that are not on a cycle belong to none. An edge from a node to itself is a cycle. Nodes
/// are 0..`nodes`. Takes time in proportion to nodes and edges (Tarjan 1972, SIAM J. Comput. 1,
/// 146; without recursion).
pub fn cycles(nodes: usize, edges: &[[usize; 2]]) -> Vec<Vec<usize>> {
    let (first, incident) = incidence(nodes, edges);
    let mut found: Vec<Vec<usize>> =
        (0..edges.len()).filter(|e| edges[*e][0] == edges[*e][1]).map(|e| vec![e]).collect();
    // Order in which nodes are reached, 0 before; the earliest node that is reachable from the
    // subtree of a node (low point).
    let (mut reached, mut back) = (vec![0; nodes], vec![0; nodes]);
    let mut next = first.clone();
    let mut taken = vec![false; edges.len()];
    let (mut count, mut open) = (0, Vec::new());
    for root in 0..nodes {
        if reached[root] > 0 {
            continue;
        }
        count += 1;
        (reached[root], back[root]) = (count, count);
        // Nodes on the path from the root, each with the number of open edges before the one that
        // led to it.
        let mut way = vec![(root, 0)];
        while let Some(&(node, before)) = way.last() {
            if next[node] < first[node + 1] {
                let edge = incident[next[node]];
                next[node] += 1;
                let other = edges[edge][0] + edges[edge][1] - node;
                if other == node || taken[edge] {
                    continue;
                }
                taken[edge] = true;
                let opened = open.len();
                open.push(edge);
                if reached[other] == 0 {
                    count += 1;
                    (reached[other], back[other]) = (count, count);
                    way.push((other, opened));
                } else {
                    back[node] = back[node].min(reached[other]);
                }
                continue;
            }
            way.pop();
            let Some(&(above, _)) = way.last() else { break };
            back[above] = back[above].min(back[node]);
            if back[node] >= reached[above] {
                // `above` is an articulation point: the edges below it are a component.
                let mut component = open.split_off(before);
                if component.len() > 1 {
                    component.sort_unstable();
                    found.push(component);
                }
            }
        }
    }
    found.sort_unstable_by_key(|component| component[0]);
    found
}

/// For each node the place of its first edge in a list of all nodes' edges, and that list.
pub fn incidence(nodes: usize, edges: &[[usize; 2]]) -> (Vec<usize>, Vec<usize>) {
    let mut first = vec![0; nodes + 1];
    edges.iter().flatten().for_each(|node| first[node + 1] += 1);
    (0..nodes).for_each(|node| first[node + 1] += first[node]);
    let (mut next, mut incident) = (first.clone(), vec![0; 2 * edges.len()]);
    for (edge, ends) in edges.iter().enumerate() {
        for node in ends {
            incident[next[*node]] = edge;
            next[*node] += 1;
        }
    }
    (first, incident)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whether two edges lie on a common simple cycle: a path between the ends of the first,
    /// without it, through the second, by trying all.
    fn share_a_cycle(edges: &[[usize; 2]], a: usize, b: usize) -> bool {
        fn walk(
            edges: &[[usize; 2]],
            at: usize,
            to: usize,
            used: &mut Vec<usize>,
            seen: &mut Vec<usize>,
            b: usize,
        ) -> bool {
            if at == to {
                return used.contains(&b);
            }
            (0..edges.len()).any(|e| {
                let [x, y] = edges[e];
                let other = if x == at { y } else { x };
                if used.contains(&e) || (x != at && y != at) || seen.contains(&other) {
                    return false;
                }
                used.push(e);
                seen.push(other);
                let found = walk(edges, other, to, used, seen, b);
                used.pop();
                seen.pop();
                found
            })
        }
        walk(edges, edges[a][0], edges[a][1], &mut vec![a], &mut vec![edges[a][0]], b)
    }

    #[test]
    fn edges_are_together_where_a_simple_cycle_has_both() {
        let mut seed = 1u64;
        let mut random = |n: usize| {
            seed = seed.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
            (seed >> 33) as usize % n
        };
        for _ in 0..300 {
            let (nodes, count) = (2 + random(5), random(9));
            let edges: Vec<[usize; 2]> = (0..count).map(|_| [random(nodes), random(nodes)]).collect();
            let found = cycles(nodes, &edges);
            let of = |e: usize| found.iter().position(|component| component.contains(&e));
            for a in 0..count {
                if edges[a][0] == edges[a][1] {
                    assert_eq!(found[of(a).unwrap()], [a], "{edges:?}");
                    continue;
                }
                for b in (0..count).filter(|b| *b != a && edges[*b][0] != edges[*b][1]) {
                    let together = of(a).is_some() && of(a) == of(b);
                    assert_eq!(together, share_a_cycle(&edges, a, b), "{edges:?}: {a} and {b}, {found:?}");
                }
            }
        }
    }

    #[test]
    fn a_long_ring_needs_no_deep_recursion() {
        let n = 200_000;
        let ring: Vec<[usize; 2]> = (0..n).map(|k| [k, (k + 1) % n]).collect();
        assert_eq!(cycles(n, &ring).len(), 1);
        assert_eq!(cycles(n, &ring[1..]).len(), 0);
    }
}
